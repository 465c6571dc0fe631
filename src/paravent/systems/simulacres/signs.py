"""Pictograms of our own: what acts, how, on what, and the Énergies; lines in a square of 24, letters at a terminal."""

from __future__ import annotations

from .terms import Component, Energy, Means, Realm

SIGNS = {
    Component.BODY.value: "M12 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5 10l7-1 7 1M12 9v6M8 21l4-6 4 6",
    Component.INSTINCTS.value: "M3 13s3.5-5.5 9-5.5 9 5.5 9 5.5-3.5 5.5-9 5.5S3 13 3 13zM12 10v6M5 5l2 3M19 5l-2 3",
    Component.HEART.value: "M12 20S4 14.8 4 9.4A4.2 4.2 0 0 1 12 7.2a4.2 4.2 0 0 1 8 2.2C20 14.8 12 20 12 20z",
    Component.MIND.value: "M8 21v-4c-2.4-1.4-3.5-3.6-3.5-6.2a7 7 0 0 1 14 0c0 1.5.5 2.2 1.5 4.2h-2V18h-4v3"
    "M9 11h5M11.5 8.5v5",
    Means.PERCEPTION.value: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5.5 5.5M7.5 10.5a3 3 0 0 1 3-3",
    Means.ACTION.value: "M4 12h14M12.5 6l6 6-6 6M3 7h4M3 17h4",
    Means.DESIRE.value: "M12 3c1 4 5 5.5 5 10.5a5 5 0 0 1-10 0c0-2 .8-3.2 2-4.3.4 1.5 1 2.2 2 2.6C11.4 9 11 6 12 3z",
    Means.RESISTANCE.value: "M12 3l7 2.5v6c0 4.5-3 7.5-7 9.5-4-2-7-5-7-9.5v-6zM8.5 11.5h7",
    Realm.MINERAL.value: "M12 3l6 6-3 12H9L6 9zM6 9h12M12 3L9.5 9 12 21l2.5-12z",
    Realm.VEGETAL.value: "M6 17C5 9 10 4 20 4c0 10-5 15-13 13M4 21c1.5-5 4.5-8.5 9-10.5",
    Realm.ANIMAL.value: "M6.5 12.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z"
    "M17.5 12.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z"
    "M10 8a1.7 1.7 0 1 0 0-3.4A1.7 1.7 0 0 0 10 8zM14 8a1.7 1.7 0 1 0 0-3.4A1.7 1.7 0 0 0 14 8z"
    "M12 12c-2.5 0-5 3-4.5 5.5.4 1.8 2.5 1 4.5 1s4.1.8 4.5-1C17 15 14.5 12 12 12z",
    Realm.HUMAN.value: "M12 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20c.6-4 3.2-6 7-6s6.4 2 7 6",
    Realm.MECHANICAL.value: "M10.3 5.6L10.5 2.9L13.5 2.9L13.7 5.6L15.3 6.3L17.4 4.5L19.5 6.6L17.7 8.7L18.4 10.3"
    "L21.1 10.5L21.1 13.5L18.4 13.7L17.7 15.3L19.5 17.4L17.4 19.5L15.3 17.7L13.7 18.4"
    "L13.5 21.1L10.5 21.1L10.3 18.4L8.7 17.7L6.6 19.5L4.5 17.4L6.3 15.3L5.6 13.7L2.9 13.5"
    "L2.9 10.5L5.6 10.3L6.3 8.7L4.5 6.6L6.6 4.5"
    "L8.7 6.3zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
    Realm.VOID.value: "M12 4a8 8 0 0 1 5.7 2.3M20 12a8 8 0 0 1-2.3 5.7M12 20a8 8 0 0 1-5.7-2.3"
    "M4 12a8 8 0 0 1 2.3-5.7",
    Energy.POWER.value: "M4 9v6M7 7v10M17 7v10M20 9v6M7 12h10",
    Energy.SPEED.value: "M14 3L6 13h5l-1 8 8-11h-5z",
    Energy.PRECISION.value: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z"
    "M12 2v4M12 18v4M2 12h4M18 12h4",
}

GLYPHS = {
    Component.BODY.value: "♟", Component.INSTINCTS.value: "◉", Component.HEART.value: "♥", Component.MIND.value: "✶",
    Means.PERCEPTION.value: "⌕", Means.ACTION.value: "→", Means.DESIRE.value: "△", Means.RESISTANCE.value: "▣",
    Realm.MINERAL.value: "◆", Realm.VEGETAL.value: "♣", Realm.ANIMAL.value: "♞", Realm.HUMAN.value: "☺",
    Realm.MECHANICAL.value: "⚙", Realm.VOID.value: "○",
    Energy.POWER.value: "⚒", Energy.SPEED.value: "»", Energy.PRECISION.value: "⊕",
}
