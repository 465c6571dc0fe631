"""Life, breath and psyche: what is lost, what care and time bring back."""
