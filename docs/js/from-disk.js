/* The search of the site, opened from the disk: a browser starts no worker there and fetches nothing, but it runs scripts.
   So the theme is given what looks like its worker; the worker's own script and the index are loaded into the page. */
if (location.protocol === "file:")
  window.Worker = class {
    constructor(address) {
      const folder = address.replace(/[^/]*$/, "");
      const page = window.postMessage.bind(window);
      window.importScripts = () => {}; // the worker's script believes that it is one; the others are there already
      window.postMessage = (message, ...more) =>
        message.config || message.allowSearch || message.results ? this.onmessage({ data: message }) : page(message, ...more);
      this.ready = ["lunr.js", "lunr.stemmer.support.js", "lunr.multi.js", "lunr.fr.js", "search_index.js", "worker.js"].reduce(
        (before, name) => before.then(() => this.load(folder + name)),
        Promise.resolve(),
      );
      this.ready.then(() => window.onJSONLoaded.call({ responseText: JSON.stringify(window.searchIndex) }));
    }
    load(address) {
      return new Promise((done) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = done;
        document.head.append(script);
      });
    }
    postMessage({ query }) {
      if (query) this.onmessage({ data: { results: window.search(query) } });
    }
  };
