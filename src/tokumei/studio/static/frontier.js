// Risk against utility for every k at once. All numbers came with the page: moving the slider asks nobody.
const WIDTH = 860, HEIGHT = 340, LEFT = 58, RIGHT = 16, TOP = 22, BOTTOM = 46;

export default {
  template: `
    <div class="filled">
      <div class="slider">
        <label :for="id">{{ words.k }}</label>
        <input :id="id" type="range" min="0" :max="ks.length - 1" step="1" v-model.number="place" :aria-valuetext="'k = ' + k" @change="settled" />
        <output :for="id">k = {{ k }}</output>
        <span class="note">{{ words.risk.replace("{share}", percent(1 / k)) }}</span>
      </div>
      <svg class="plot frontier" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="words.chart" @pointerdown="grab"
        @pointermove="drag" @pointerup="release" @pointercancel="release">
        <g v-for="tick in across" :key="'x' + tick.k">
          <line class="axis" :x1="tick.x" :x2="tick.x" :y1="top" :y2="height - bottom" />
          <text :x="tick.x" :y="height - bottom + 16" text-anchor="middle">{{ tick.k }}</text>
        </g>
        <g v-for="tick in upward" :key="'y' + tick.y">
          <line class="axis" :x1="left" :x2="width - right" :y1="tick.y" :y2="tick.y" />
          <text :x="left - 6" :y="tick.y + 4" text-anchor="end">{{ tick.text }}</text>
        </g>
        <text :x="width - right" :y="height - 8" text-anchor="end">{{ words.across }}</text>
        <text :x="left" y="12">{{ measure.label }}</text>
        <line :x1="x(k)" :x2="x(k)" :y1="top" :y2="height - bottom" stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" style="cursor: ew-resize" />
        <g v-for="line in drawn" :key="line.name">
          <path v-for="part in line.parts" :key="part" :d="part" fill="none" :style="{ stroke: line.colour }" stroke-width="2.5" :stroke-dasharray="line.dash" stroke-linejoin="round" />
          <circle v-if="line.y !== null" :cx="x(k)" :cy="line.y" r="6" :style="{ fill: line.colour, stroke: 'var(--paper)' }" stroke-width="2" />
        </g>
        <g v-for="pin in pins" :key="'p' + pin.name + pin.k">
          <circle v-if="pin.y !== null" :cx="x(pin.k)" :cy="pin.y" r="8" fill="none" :style="{ stroke: pin.colour }" stroke-width="2.5" />
        </g>
      </svg>
      <div class="wide" tabindex="0" role="region" :aria-label="words.table">
        <table>
          <thead><tr><th scope="col">{{ words.method }}</th><th scope="col" class="number">{{ words.limit }}</th>
            <th v-for="each in measures" :key="each.key" scope="col" class="number">{{ each.label }}</th><th scope="col"><span class="unseen">{{ words.actions }}</span></th></tr></thead>
          <tbody>
            <tr v-for="line in drawn" :key="line.name" class="method-row" :class="{ off: !line.there }">
              <td><i class="swatch" :style="{ background: line.colour }"></i>{{ line.shown }}<span v-if="line.current" class="tag chosen">{{ words.current }}</span><div v-if="!line.there" class="note">{{ line.why || words.absent }}</div></td>
              <td class="number">{{ line.there ? percent(line.risk) : "–" }}</td>
              <td v-for="each in measures" :key="each.key" class="number">{{ line.there ? number(line.values[each.key]) : "–" }}</td>
              <td><div class="row" v-if="line.there">
                <button type="button" class="button" :aria-label="words.apply + ': ' + line.shown + ', k = ' + k" @click="$emit('apply', { method: line.name, k })">{{ words.apply }}</button>
                <button type="button" class="button quiet" :aria-label="words.pin + ': ' + line.shown + ', k = ' + k" @click="$emit('pin', { method: line.name, k })">{{ words.pin }}</button>
              </div></td>
            </tr>
          </tbody>
        </table>
      </div>
    </div>`,
  props: { ks: Array, lines: Array, measures: Array, shown: String, start: Number, pinned: Array, current: Object, words: Object },
  data() {
    let place = 0;
    this.ks.forEach((k, i) => { if (Math.abs(k - this.start) < Math.abs(this.ks[place] - this.start)) place = i; });
    return { place, held: false, id: "k-" + Math.random().toString(36).slice(2), width: WIDTH, height: HEIGHT, left: LEFT, right: RIGHT, top: TOP, bottom: BOTTOM };
  },
  computed: {
    k() { return this.ks[this.place]; },
    measure() { return this.measures.find((each) => each.key === this.shown) || this.measures[0]; },
    most() {
      const all = this.lines.flatMap((line) => line.values[this.measure.key]).filter((each) => each !== null && each !== undefined);
      return Math.max(...all, 1e-6) * 1.05;
    },
    across() {
      const wanted = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10000];
      return wanted.filter((k) => k >= this.ks[0] && k <= this.ks[this.ks.length - 1]).map((k) => ({ k, x: this.x(k) }));
    },
    upward() {
      return [0, 0.25, 0.5, 0.75, 1].map((part) => ({ y: this.y(part * this.most), text: this.number(part * this.most) }));
    },
    paths() {
      // drawn once for a measure: the slider moves the marks only
      return this.lines.map((line) => {
        const parts = [];
        let path = "";
        line.values[this.measure.key].forEach((value, i) => {
          if (value === null || value === undefined) { if (path) parts.push(path); path = ""; return; }
          path += (path ? "L" : "M") + this.x(this.ks[i]).toFixed(1) + " " + this.y(value).toFixed(1);
        });
        if (path) parts.push(path);
        return parts;
      });
    },
    drawn() {
      return this.lines.map((line, place) => {
        const values = Object.fromEntries(this.measures.map((each) => [each.key, line.values[each.key][this.place]]));
        const value = values[this.measure.key], there = line.risk[this.place] !== null && line.risk[this.place] !== undefined;
        return {
          name: line.name, shown: line.shown, why: line.why, colour: "var(--series-" + (place % 5) + ")", dash: ["", "8 4", "2 4", "10 3 2 3", "5 2"][place % 5],
          parts: this.paths[place], values, there, risk: line.risk[this.place], y: value === null || value === undefined ? null : this.y(value),
          current: this.current && this.current.method === line.name && this.current.k === this.k,
        };
      });
    },
    pins() {
      return this.pinned.map((pin) => {
        const place = this.lines.findIndex((line) => line.name === pin.method), at = this.ks.indexOf(pin.k);
        const value = place < 0 || at < 0 ? null : this.lines[place].values[this.measure.key][at];
        return { name: pin.method, k: pin.k, y: value === null || value === undefined ? null : this.y(value), colour: "var(--series-" + (Math.max(place, 0) % 5) + ")" };
      });
    },
  },
  methods: {
    x(k) {
      const low = Math.log(this.ks[0]), high = Math.log(this.ks[this.ks.length - 1]);
      return LEFT + ((WIDTH - LEFT - RIGHT) * (Math.log(k) - low)) / Math.max(high - low, 1e-9);
    },
    y(value) { return HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / this.most; },
    percent(share) { return (100 * share).toPrecision(3).replace(/\.?0+$/, "") + "%"; },
    number(value) { return value === null || value === undefined ? "–" : value >= 1 ? value.toPrecision(3) : value.toFixed(3); },
    settled() { this.$emit("settle", this.k); },
    grab(event) {
      this.held = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.drag(event);
    },
    drag(event) {
      if (!this.held) return;
      const frame = event.currentTarget.getBoundingClientRect();
      const x = ((event.clientX - frame.left) / frame.width) * WIDTH;
      let best = 0;
      this.ks.forEach((k, i) => { if (Math.abs(this.x(k) - x) < Math.abs(this.x(this.ks[best]) - x)) best = i; });
      this.place = best;
    },
    release() {
      if (this.held) this.settled();
      this.held = false;
    },
  },
};
