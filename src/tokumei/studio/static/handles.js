// A histogram and the edges of intervals on it: a handle is dragged, or moved with the arrow keys; Delete takes it away.
export default {
  template: `
    <div class="workshop">
      <div class="handles" ref="line" @pointermove="drag" @pointerup="release" @pointercancel="release">
        <i v-for="(bar, at) in bars" :key="at" class="bar" :style="{ height: Math.max(100 * bar, 1) + '%' }"></i>
        <button v-for="(code, at) in now" :key="at" type="button" class="handle" role="slider" :style="{ left: 100 * code / size + '%' }"
          :aria-label="words.edge + ' ' + (at + 1)" :aria-valuenow="code" :aria-valuetext="text(code)" aria-valuemin="1" :aria-valuemax="size - 1"
          @pointerdown.prevent="grip(at, $event)" @keydown="key(at, $event)"><span>{{ text(code) }}</span></button>
      </div>
      <div class="row">
        <button type="button" class="button" @click="add">{{ words.add }}</button>
        <button type="button" class="button" :aria-disabled="now.length ? null : 'true'" @click="even">{{ words.even }}</button>
        <span class="note">{{ words.how }}</span>
      </div>
    </div>`,
  props: { bars: Array, size: Number, edges: Array, labels: Array, words: Object },
  emits: ["edges"],
  data() { return { now: [...this.edges], held: null }; },
  watch: { edges(given) { if (this.held === null) this.now = [...given]; } },
  methods: {
    text(code) { return this.labels[Math.min(code, this.labels.length - 1)]; },
    limits(at) { return [(this.now[at - 1] ?? 0) + 1, (this.now[at + 1] ?? this.size) - 1]; },
    put(at, code) {
      const [low, high] = this.limits(at);
      this.now.splice(at, 1, Math.min(high, Math.max(low, Math.round(code))));
    },
    grip(at, event) {
      this.held = at;
      event.target.focus();
      this.$refs.line.setPointerCapture(event.pointerId);
    },
    drag(event) {
      if (this.held === null) return;
      const box = this.$refs.line.getBoundingClientRect();
      this.put(this.held, (this.size * (event.clientX - box.left)) / box.width);
    },
    release() {
      if (this.held === null) return;
      this.held = null;
      this.tell();
    },
    key(at, event) {
      const far = Math.max(1, Math.round(this.size / 20));
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -far, PageUp: far };
      if (event.key in steps) this.put(at, this.now[at] + steps[event.key]);
      else if (event.key === "Delete" || event.key === "Backspace") this.now.splice(at, 1);
      else return;
      event.preventDefault();
      this.tell();
    },
    add() {
      const ends = [0, ...this.now, this.size];
      let widest = 0;
      for (let at = 1; at < ends.length - 1; at++) if (ends[at + 1] - ends[at] > ends[widest + 1] - ends[widest]) widest = at;
      const middle = Math.round((ends[widest] + ends[widest + 1]) / 2);
      if (middle <= ends[widest] || middle >= ends[widest + 1]) return;
      this.now.splice(widest, 0, middle);
      this.tell();
    },
    even() {
      const parts = this.now.length + 1;
      this.now = this.now.map((_, at) => Math.round(((at + 1) * this.size) / parts));
      this.tell();
    },
    tell() { this.$emit("edges", [...this.now]); },
  },
};
