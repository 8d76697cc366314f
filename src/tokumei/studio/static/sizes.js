// How many rows hide in classes of which size, before and after, with a line for k that can be drawn along. Everything is looked up here.
const WIDTH = 640, HEIGHT = 252, LEFT = 46, BOTTOM = 46, TOP = 22;

export default {
  template: `
    <div>
      <svg class="plot" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="label" @pointerdown="grab" @pointermove="drag"
        @pointerup="held = false" @pointercancel="held = false">
        <g v-for="tick in ticks" :key="tick.at">
          <line class="axis" :x1="left" :x2="width" :y1="tick.at" :y2="tick.at" />
          <text :x="left - 6" :y="tick.at + 4" text-anchor="end">{{ tick.text }}</text>
        </g>
        <template v-for="bar in bars" :key="bar.low">
          <rect v-for="one in bar.pair" :key="one.who" :class="one.who" :x="one.x" :y="one.y" :width="one.width" :height="one.height" rx="2"
            :style="{ fill: bar.low < at ? 'var(--series-1)' : 'var(--series-0)', fillOpacity: one.faint ? 0.4 : 1 }"><title>{{ one.named }}{{ bar.name }}: {{ percent(one.share) }}</title></rect>
          <text :x="bar.middle" :y="height - 28" text-anchor="middle">{{ bar.short }}</text>
          <text class="chance" :x="bar.middle" :y="height - 12" text-anchor="middle">≤ {{ percent(1 / bar.low) }}</text>
        </template>
        <line :x1="line" :x2="line" :y1="12" :y2="height - bottom" stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" style="cursor: ew-resize" />
        <text class="mark-text" :x="line" y="9" :text-anchor="line > width - 60 ? 'end' : 'start'">k = {{ at }}</text>
      </svg>
      <p v-if="both" class="note legend"><i class="swatch" :style="{ background: split, opacity: .4 }"></i>{{ legend[0] }} <i class="swatch" :style="{ background: split }"></i>{{ legend[1] }} <i class="swatch" style="background: var(--series-1)"></i>{{ legend[2] }}</p>
      <label class="slider"><span>{{ slider }}</span>
        <input type="range" min="1" :max="top" step="1" v-model.number="at" :aria-valuetext="'k = ' + at" />
        <output>{{ at }}</output>
      </label>
      <p role="status">{{ said(sizes, rows, both ? legend[0] : "") }}<template v-if="both"><br />{{ said(then.sizes, then.rows, legend[1]) }}</template></p>
    </div>`,
  props: { sizes: Array, rows: Array, then: Object, legend: Array, edges: Array, k: Number, label: String, slider: String, sentence: String, between: String, more: String },
  data() {
    return { at: this.k, held: false, width: WIDTH, height: HEIGHT, left: LEFT, bottom: BOTTOM };
  },
  computed: {
    split() { return "linear-gradient(90deg, var(--series-1) 50%, var(--series-0) 50%)"; },
    both() { return Boolean(this.then?.sizes); },
    top() { return Math.max(20, Math.min(200, Math.max(this.sizes[this.sizes.length - 1] || 1, this.both ? this.then.sizes[this.then.sizes.length - 1] : 1))); },
    bins() {
      return this.edges.map((low, place) => {
        const next = this.edges[place + 1] ?? Infinity;
        const share = (sizes, rows) => sizes.reduce((sum, size, i) => sum + (size >= low && size < next ? rows[i] : 0), 0) / this.all(rows);
        return { low, next, shares: [share(this.sizes, this.rows), ...(this.both ? [share(this.then.sizes, this.then.rows)] : [])] };
      });
    },
    // the axis ends at a round share, so that bars can be read off it
    highest() {
      const found = Math.max(...this.bins.flatMap((bin) => bin.shares)) || 1;
      return [0.01, 0.02, 0.04, 0.1, 0.2, 0.4, 0.6, 0.8].find((share) => share >= found) ?? 1;
    },
    bars() {
      const wide = (WIDTH - LEFT) / this.bins.length, tall = HEIGHT - BOTTOM - TOP;
      return this.bins.map((bin, place) => {
        const each = (wide - 6) / bin.shares.length;
        const pair = bin.shares.map((share, at) => {
          const height = Math.max((tall * share) / this.highest, share ? 1.5 : 0);
          return { who: at ? "after" : "before", named: this.both ? this.legend[at] + ", " : "", faint: this.both && !at, share, x: LEFT + wide * place + 3 + each * at, width: Math.max(each - (this.both ? 1 : 0), 1), y: HEIGHT - BOTTOM - height, height };
        });
        const last = bin.next === Infinity, single = bin.next === bin.low + 1;
        const name = last ? bin.low + this.more : single ? String(bin.low) : bin.low + "–" + (bin.next - 1);
        return { low: bin.low, pair, middle: LEFT + wide * (place + 0.5), name, short: last ? bin.low + "+" : name };
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
  },
  methods: {
    all(rows) { return rows.reduce((sum, each) => sum + each, 0) || 1; },
    said(sizes, rows, who) {
      let below = 0;
      sizes.forEach((size, i) => { if (size < this.at) below += rows[i]; });
      const told = this.sentence.replace("{k}", this.at).replace("{rows}", below.toLocaleString("en")).replace("{share}", this.percent(below / this.all(rows)));
      return who ? who + this.between + told : told;
    },
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
