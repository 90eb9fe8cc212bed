"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const rows = all("#rules tr[data-rule]");

  // Everywhere a rule is told of, by its id.
  const places = new Map(rows.map((row) => [row.dataset.rule, []]));
  for (const place of all("[data-rule]")) places.get(place.dataset.rule)?.push(place);

  const texts = new Map();
  const textOf = (rule) => {
    if (!texts.has(rule)) {
      texts.set(rule, places.get(rule).map((place) => place.textContent).join(" ").toLowerCase());
    }
    return texts.get(rule);
  };

  const chosen = () => [...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value);

  const matcher = () => {
    const choice = (name) => chosen().filter(([key]) => key === name).map(([, value]) => value);
    const fits = (name, values) => values.length === 0 || values.some((value) => name.includes(value));
    const [outcomes, levels, parts, endpoints] = ["outcome", "level", "part", "endpoint"].map(choice);
    const words = choice("text").join(" ").toLowerCase().split(/\s+/);
    return ({ rule, outcome, level, part, endpoint }) =>
      fits([outcome], outcomes) && fits([level], levels) && fits([part], parts) &&
      fits(endpoint.split(" "), endpoints) && words.every((word) => textOf(rule).includes(word));
  };

  const hasShown = (root) => root.querySelector("[data-rule]:not([hidden])") !== null;

  const apply = () => {
    const matches = matcher();
    const narrowed = chosen().length > 0;
    let shown = 0;
    for (const row of rows) {
      const match = matches(row.dataset);
      shown += match ? 1 : 0;
      for (const place of places.get(row.dataset.rule)) place.hidden = !match;
    }
    for (const group of all(".group, details.part")) group.hidden = !hasShown(group);
    for (const bucket of all(".bucket")) bucket.hidden = !hasShown(bucket.nextElementSibling);
    for (const section of all(".filtered")) {
      section.hidden = !hasShown(section);
      const link = document.querySelector(`[data-section="${section.id}"]`);
      if (link) link.hidden = section.hidden;
    }
    document.querySelector("#rules .none").hidden = shown > 0;
    if (narrowed) for (const box of all(".members, details.part")) box.open = true;
    count.textContent = narrowed ? `${shown} of ${rows.length} rules` : `all ${rows.length} rules`;
  };

  const keepInAddress = () => {
    const query = new URLSearchParams(chosen()).toString();
    history.replaceState(null, "", query ? `#${query}` : location.pathname + location.search);
  };

  const fill = (query) => {
    form.reset();
    for (const box of all("input[type=checkbox]", form)) box.checked = query.getAll("outcome").includes(box.value);
    for (const name of ["text", "level", "part", "endpoint"]) {
      form.elements[name].value = query.get(name) ?? "";
      if (form.elements[name].selectedIndex === -1) form.elements[name].value = ""; // not one of the options
    }
  };

  const reveal = (id) => {
    const place = document.getElementById(id);
    if (!place) return;
    if (place.closest("[hidden]")) clear();
    const inside = place.querySelector(":scope > details.cardbody");
    if (inside) inside.open = true;
    for (let box = place.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    place.scrollIntoView();
  };

  const clear = () => {
    fill(new URLSearchParams());
    apply();
  };

  // An address ends in a filter, such as #outcome=fail&level=must, or in an anchor.
  const follow = () => {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) {
      try { reveal(decodeURIComponent(hash)); } catch { /* no anchor is spelled like that */ }
      return;
    }
    fill(new URLSearchParams(hash));
    apply();
  };

  const toFirstShown = () => {
    const heading = all(".filtered, #rules").find(hasShown)?.querySelector("h2");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView();
  };

  for (const place of all("[data-filter]")) {
    const link = document.createElement("a");
    link.href = `#${place.dataset.filter}`;
    link.append(...place.childNodes);
    const row = place.closest("tr")?.querySelector("th").textContent.trim().replace(/\s+/g, " ");
    link.setAttribute("aria-label", `${link.textContent}: show only these rules` + (row ? ` (${row})` : ""));
    place.append(link);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      history.pushState(null, "", link.href);
      follow();
      toFirstShown();
    });
  }

  const said = document.getElementById("said");
  const copied = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch { // no permission, or no clipboard on a page that came over plain HTTP
      getSelection().selectAllChildren(code);
      return document.execCommand("copy");
    }
  };
  const tell = (button, text) => {
    const label = button.dataset.label ??= button.textContent;
    button.textContent = said.textContent = text;
    setTimeout(() => { button.textContent = label; said.textContent = ""; }, 2500);
  };
  for (const button of all("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copied(button.closest(".command").querySelector("pre"));
      tell(button, done ? "Copied" : "Selected: press Ctrl+C");
    });
  }

  // A box is scrolled only where what decides would not be seen.
  for (const pre of all("pre:has(mark)")) {
    const mark = pre.querySelector("mark");
    const show = () => {
      const below = mark.getBoundingClientRect().bottom - pre.getBoundingClientRect().top - pre.scrollTop - pre.clientHeight;
      if (below > 0) pre.scrollTop = below + pre.clientHeight / 2;
    };
    show();
    pre.closest("details")?.addEventListener("toggle", show);
  }

  // A failure has an address of its own.
  for (const button of all("button.link")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      history.replaceState(null, "", `#${button.dataset.link}`);
      try {
        await navigator.clipboard.writeText(location.href);
        tell(button, "Copied");
      } catch {
        tell(button, "It is in the address bar");
      }
    });
  }

  // The cards of a section, as they are or under what they have in common.
  const order = new Map(all(".cards").map((cards) => [cards, all(".card", cards)]));
  document.getElementById("group").addEventListener("change", (event) => {
    const by = { endpoint: "at", part: "part" }[event.target.value];
    for (const bucket of all(".bucket")) bucket.remove();
    for (const [cards, inOrder] of order) {
      cards.append(...inOrder);
      for (const box of all(".cards .inbucket", cards.parentElement)) box.remove();
      if (!by) continue;
      for (const [name, members] of Map.groupBy(inOrder, (card) => card.dataset[by] || "at no endpoint of its own")) {
        const heading = document.createElement("p");
        const box = document.createElement("div");
        heading.className = "bucket";
        box.className = "inbucket";
        heading.textContent = `${name} (${members.length})`;
        box.append(...members);
        cards.append(heading, box);
      }
    }
    apply();
  });

  // Everything at once, and back to what was open at first.
  const boxes = all("main details").map((box) => [box, box.open]);
  const unfold = document.getElementById("unfold");
  unfold.addEventListener("click", () => {
    const wide = unfold.ariaPressed !== "true";
    for (const [box, first] of boxes) box.open = wide || first;
    unfold.ariaPressed = String(wide);
    unfold.textContent = wide ? "Fold" : "Expand all";
  });

  // Paper cannot be unfolded. What came out alike stays a line there.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("main details:not([open], .alike, .alike *)");
    for (const box of folded) box.open = true;
  });
  addEventListener("afterprint", () => { for (const box of folded) box.open = false; });

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { apply(); keepInAddress(); });
  form.addEventListener("reset", (event) => { event.preventDefault(); });
  form.querySelector("button[type=reset]").addEventListener("click", () => { clear(); keepInAddress(); });
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  if (matchMedia("(max-width: 62rem)").matches) form.querySelector("details").open = false;
  form.hidden = false;
  apply();
  follow();
})();
