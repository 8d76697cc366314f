// Around a screen: when it is drawn anew, the page keeps its height until everything is there, so that nothing is scrolled away,
// and what had the focus gets it back, found by what it is called.
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const PATIENCE = 15000, REST = 150; // milliseconds for which a lost focus is looked for, and after which the height is let go

function called(element) {
  if (element.dataset.focus) return element.dataset.focus;
  const text = element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent || "";
  const column = element.closest("[data-column]")?.dataset.column ?? "";
  return [element.tagName, element.type ?? "", column, text.trim().slice(0, 80)].join("\n");
}

function alike(root, name) {
  return [...root.querySelectorAll(FOCUSABLE)].filter((each) => called(each) === name);
}

export default {
  template: `<div class="keeper"><slot></slot></div>`,
  beforeUpdate() {
    const at = document.activeElement;
    if (at && at !== this.$el && this.$el.contains(at)) {
      const name = called(at);
      const marked = "selectionStart" in at ? [at.selectionStart, at.selectionEnd] : null;
      this.lost = { at, name, place: alike(this.$el, name).indexOf(at), marked, until: Date.now() + PATIENCE };
    } else if (at && at !== document.body) {
      this.lost = null; // the person is elsewhere
    }
    this.opened = [...this.$el.querySelectorAll("details[open]:not(.menu) > summary")].map(called);
    this.$el.style.minHeight = this.$el.offsetHeight + "px";
  },
  updated() {
    for (const summary of this.$el.querySelectorAll("details:not([open]):not(.menu) > summary")) {
      if (this.fresh(summary) && this.opened.includes(called(summary))) summary.parentElement.open = true;
    }
    this.find();
    clearTimeout(this.timer);
    this.timer = setTimeout(this.let_go, REST);
  },
  beforeUnmount() { clearTimeout(this.timer); },
  created() { this.known = new WeakSet(); },
  mounted() { for (const each of this.$el.querySelectorAll("summary")) this.known.add(each); },
  methods: {
    fresh(summary) { // one that was just made; one that the person has closed stays closed
      if (this.known.has(summary)) return false;
      this.known.add(summary);
      return true;
    },
    find() {
      const lost = this.lost;
      if (!lost || lost.at.isConnected || Date.now() > lost.until) return;
      if (document.activeElement && document.activeElement !== document.body) return;
      const found = alike(this.$el, lost.name), next = found[Math.min(lost.place, found.length - 1)];
      if (!next) return;
      next.focus({ preventScroll: true });
      if (lost.marked?.[0] != null) next.setSelectionRange?.(...lost.marked);
      this.lost = null;
    },
    let_go() {
      if (this.$el.querySelector(".waiting")) this.timer = setTimeout(this.let_go, REST);
      else this.$el.style.minHeight = "";
    },
  },
};
