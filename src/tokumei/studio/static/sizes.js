// How many rows hide in classes of which size, with a line for k that can be drawn along. Everything is looked up here.
const WIDTH = 640, HEIGHT = 240, LEFT = 46, BOTTOM = 34, TOP = 22;

export default {
  template: `
    <div>
      <svg class="plot" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="label" @pointerdown="grab" @pointermove="drag"
        @pointerup="held = false" @pointercancel="held = false">
        <g v-for="tick in ticks" :key="tick.at">
          <line class="axis" :x1="left" :x2="width" :y1="tick.at" :y2="tick.at" />
          <text :x="left - 6" :y="tick.at + 4" text-anchor="end">{{ tick.text }}</text>
        </g>
        <rect v-for="bar in bars" :key="bar.low" :x="bar.x" :y="bar.y" :width="bar.width" :height="bar.height" rx="2"
          :style="{ fill: bar.low < at ? 'var(--series-1)' : 'var(--series-0)' }"><title>{{ bar.name }}: {{ percent(bar.share) }}</title></rect>
        <text v-for="bar in bars" :key="'t' + bar.low" :x="bar.x + bar.width / 2" :y="height - 14" text-anchor="middle">{{ bar.short }}</text>
        <line :x1="line" :x2="line" :y1="12" :y2="height - bottom" stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" style="cursor: ew-resize" />
        <text class="mark-text" :x="line" y="9" :text-anchor="line > width - 60 ? 'end' : 'start'">k = {{ at }}</text>
      </svg>
      <label class="slider"><span>{{ slider }}</span>
        <input type="range" min="1" :max="top" step="1" v-model.number="at" :aria-valuetext="'k = ' + at" />
        <output>{{ at }}</output>
      </label>
      <p role="status">{{ said }}</p>
    </div>`,
  props: { sizes: Array, rows: Array, edges: Array, k: Number, label: String, slider: String, sentence: String, more: String },
  data() {
    return { at: this.k, held: false, width: WIDTH, height: HEIGHT, left: LEFT, bottom: BOTTOM };
  },
  computed: {
    top() { return Math.max(20, Math.min(200, this.sizes[this.sizes.length - 1] || 1)); },
    all() { return this.rows.reduce((sum, each) => sum + each, 0) || 1; },
    bins() {
      return this.edges.map((low, place) => {
        const next = this.edges[place + 1] ?? Infinity;
        let rows = 0;
        this.sizes.forEach((size, i) => { if (size >= low && size < next) rows += this.rows[i]; });
        return { low, next, rows };
      });
    },
    highest() { return Math.max(...this.bins.map((bin) => bin.rows)) / this.all || 1; },
    bars() {
      const wide = (WIDTH - LEFT) / this.bins.length, tall = HEIGHT - BOTTOM - TOP;
      return this.bins.map((bin, place) => {
        const share = bin.rows / this.all, height = Math.max((tall * share) / this.highest, bin.rows ? 1.5 : 0);
        const last = bin.next === Infinity, single = bin.next === bin.low + 1;
        const name = last ? bin.low + this.more : single ? String(bin.low) : bin.low + "–" + (bin.next - 1);
        return { low: bin.low, x: LEFT + wide * place + 3, width: wide - 6, y: HEIGHT - BOTTOM - height, height, share, name, short: last ? bin.low + "+" : name };
      });
    },
    ticks() {
      const tall = HEIGHT - BOTTOM - TOP;
      return [0, 0.5, 1].map((part) => ({ at: HEIGHT - BOTTOM - tall * part, text: this.percent(part * this.highest) }));
    },
    line() {
      // within a bar the line moves evenly over its sizes
      const wide = (WIDTH - LEFT) / this.bins.length;
      let place = this.bins.findIndex((bin) => this.at < bin.next);
      const bin = this.bins[place], span = bin.next === Infinity ? Math.max(this.top - bin.low, 1) : bin.next - bin.low;
      return LEFT + wide * (place + Math.min((this.at - bin.low) / span, 1));
    },
    said() {
      let below = 0;
      this.sizes.forEach((size, i) => { if (size < this.at) below += this.rows[i]; });
      return this.sentence.replace("{k}", this.at).replace("{rows}", below.toLocaleString("en")).replace("{share}", this.percent(below / this.all));
    },
  },
  methods: {
    percent(share) { return (100 * share).toFixed(share > 0 && share < 1 && (share < 0.0995 || share > 0.985) ? 1 : 0) + "%"; },
    grab(event) {
      this.held = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.drag(event);
    },
    drag(event) {
      if (!this.held) return;
      const frame = event.currentTarget.getBoundingClientRect();
      const x = ((event.clientX - frame.left) / frame.width) * WIDTH;
      const wide = (WIDTH - LEFT) / this.bins.length;
      const place = Math.min(Math.max(Math.floor((x - LEFT) / wide), 0), this.bins.length - 1);
      const bin = this.bins[place], span = bin.next === Infinity ? Math.max(this.top - bin.low, 1) : bin.next - bin.low;
      const part = Math.min(Math.max((x - LEFT) / wide - place, 0), 1);
      this.at = Math.min(Math.max(Math.round(bin.low + span * part), 1), this.top);
    },
  },
};
