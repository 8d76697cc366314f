// Risk against utility, one line a method. All points came with the page: moving the slider asks nobody.
const WIDTH = 860, HEIGHT = 330, LEFT = 52, NARROW = 18, TOP = 26, BOTTOM = 44;
const DASHES = ["", "8 4", "2 4", "10 3 2 3", "5 2", "14 4", "1 3 6 3", "3 2 12 2"];
const STEPS = 1000, NAME = 15, NAMES = 258, APART = 70; // of the slider; between two names, and the room for them
const PHONE = matchMedia("(max-width: 700px)"); // where names stand in the table below only
const TICKS = [2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];

export default {
  template: `
    <div class="filled">
      <div class="slider">
        <label :for="id">{{ words.k }}</label>
        <input :id="id" type="range" min="0" :max="steps" step="1" :value="position(k)" :aria-valuetext="'k = ' + k" data-focus="k"
          @input="slide" @keydown="walk" @change="settled" />
        <output :for="id">k = {{ k }}</output>
        <span class="note">{{ words.limit.replace("{share}", percent(1 / k)) }}</span>
      </div>
      <div class="sides" role="radiogroup" :aria-label="words.sides">
        <label v-for="each in ['reconstructed', 'released']" :key="each"><input type="radio" :name="id + 'side'" :value="each" v-model="shown" @change="$emit('side', shown)" /> {{ words[each] }}</label>
      </div>
      <svg class="plot frontier" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="words.chart" @pointerdown="grab"
        @pointermove="drag" @pointerup="release" @pointercancel="release">
        <g v-for="tick in across" :key="'x' + tick.text">
          <line class="axis" :x1="tick.x" :x2="tick.x" :y1="top" :y2="height - bottom" />
          <text :x="tick.apart ? left : tick.x" :y="tick.apart ? height - 8 : height - bottom + 16" :text-anchor="tick.apart ? 'start' : 'middle'">{{ tick.text }}</text>
        </g>
        <g v-for="share in upward" :key="'y' + share">
          <line class="axis" :x1="left" :x2="width - right" :y1="y(share)" :y2="y(share)" />
          <text :x="left - 6" :y="y(share) + 4" text-anchor="end">{{ percent(share) }}</text>
        </g>
        <text :x="width - right" :y="height - 8" text-anchor="end">{{ axis ? words.across_rung : words.across }}</text>
        <text :x="left" y="13">{{ words.upward.replace("{side}", words[shown].toLowerCase()) }}</text>
        <g v-for="(line, place) in lines" :key="line.name">
          <path :d="paths[place]" fill="none" :style="{ stroke: colour(place) }" stroke-width="2.5" :stroke-dasharray="dash(place)" stroke-linejoin="round" />
          <circle v-for="point in axis ? line.points : []" :key="point.k" :cx="across_of(point)" :cy="y(value(point))" r="3" :style="{ fill: colour(place) }" />
        </g>
        <line v-for="label in labels" :key="'to' + label.name" class="line-lead" :x1="label.end[0]" :y1="label.end[1]" :x2="label.x - 4" :y2="label.y - 4" :style="{ stroke: label.colour }" />
        <text v-for="label in labels" :key="'name' + label.name" class="line-name" :x="label.x" :y="label.y" :style="{ fill: label.colour }">{{ label.shown }}</text>
        <line v-if="!axis" class="at-k" :x1="x(k)" :x2="x(k)" :y1="top" :y2="height - bottom" stroke="var(--ink)" stroke-width="2" stroke-dasharray="5 4" style="cursor: ew-resize" />
        <g v-for="row in rows" :key="'at' + row.name">
          <circle v-if="row.point" :cx="axis ? across_of(row.point) : x(k)" :cy="y(value(row.point))" r="6.5" :style="{ fill: row.colour, stroke: 'var(--paper)' }" stroke-width="2" />
        </g>
        <g v-for="pin in pinned" :key="'pin' + pin.line + pin.k">
          <circle v-if="place(pin.line) >= 0 && at(place(pin.line), pin.k)" :cx="axis ? across_of(at(place(pin.line), pin.k)) : x(Math.min(pin.k, largest))" :cy="y(value(at(place(pin.line), pin.k)))" r="10"
            fill="none" :style="{ stroke: colour(place(pin.line)) }" stroke-width="2.5" />
        </g>
      </svg>
      <div class="wide" tabindex="0" role="region" :aria-label="words.table">
        <table>
          <thead><tr>
            <th scope="col">{{ words.method }}</th><th scope="col" class="number"><span v-if="axis">{{ named(axis) }}</span><dfn v-else class="term" tabindex="0" :aria-describedby="terms.risk">{{ words.risk }}</dfn></th><th scope="col" class="number"><dfn class="term" tabindex="0" :aria-describedby="terms.utility">{{ words.utility }}</dfn><br /><small>{{ words.released.toLowerCase() }}</small></th>
            <th scope="col" class="number">{{ words.utility }}<br /><small>{{ words.reconstructed.toLowerCase() }}</small></th>
            <th scope="col" class="number"><dfn class="term" tabindex="0" :aria-describedby="terms.loss">{{ words.loss }}</dfn></th><th scope="col"><span class="unseen">{{ words.actions }}</span></th>
          </tr></thead>
          <tbody>
            <tr v-for="row in rows" :key="row.name" class="method-row" :class="{ off: !row.point }">
              <td><svg width="26" height="10" aria-hidden="true"><line x1="0" x2="26" y1="5" y2="5" :style="{ stroke: row.colour }" stroke-width="3" :stroke-dasharray="row.dash" /></svg>
                {{ row.shown }} <span v-if="row.tagged" class="tag">{{ words.current }}</span>
                <div v-if="!row.point" class="note">{{ row.note || words.waiting }}</div>
                <div v-else-if="row.aim !== k" class="note">{{ words.better.replace("{k}", row.point.k) }}</div>
                <div v-else-if="row.point.k !== k" class="note">{{ words.near.replace("{k}", row.point.k) }}</div>
                <div v-if="row.point && row.point.sampled" class="note">{{ words.sampled.replace("{rows}", row.point.sampled.toLocaleString("en")) }}</div></td>
              <td class="number" :data-label="axis ? named(axis) : words.risk">{{ row.point ? told(row.point) : "–" }} <small v-if="row.point">{{ words[how(row.point)] }}</small></td>
              <td class="number" :data-label="words.utility + ', ' + words.released.toLowerCase()"><component :is="row.point && value(row.point) === row.point.utility ? 'b' : 'span'">{{ row.point ? percent(row.point.utility) : "–" }}</component></td>
              <td class="number" :data-label="words.utility + ', ' + words.reconstructed.toLowerCase()"><component :is="shown === 'reconstructed' ? 'b' : 'span'">{{ row.point && row.point.reconstructed !== null ? percent(row.point.reconstructed) : "–" }}</component></td>
              <td class="number" :data-label="words.loss">{{ row.point && row.point.loss !== null ? percent(row.point.loss) : "–" }}</td>
              <td class="actions"><div class="row" v-if="row.point">
                <button type="button" class="button" :aria-disabled="row.current || null" :data-focus="'apply ' + row.name" :aria-label="words.apply + ': ' + row.shown + ', k = ' + row.aim" @click="row.current || $emit('apply', { line: row.name, k: row.aim })">{{ words.apply }}</button>
                <button type="button" class="button quiet" :data-focus="'pin ' + row.name" :aria-label="words.pin + ': ' + row.shown + ', k = ' + row.aim" @click="$emit('pin', { line: row.name, k: row.aim })">{{ words.pin }}</button>
              </div></td>
            </tr>
          </tbody>
        </table>
      </div>
    </div>`,
  props: { lines: Array, largest: Number, start: Number, side: String, rung: String, rungs: Array, pinned: Array, current: Object, words: Object, terms: Object },
  data() {
    return { k: Math.min(this.start, this.largest), shown: this.side, held: false, id: "k" + this.$.uid, steps: STEPS, width: WIDTH, height: HEIGHT, left: LEFT, right: PHONE.matches ? NARROW : NAMES, top: TOP, bottom: BOTTOM };
  },
  mounted() { PHONE.addEventListener("change", this.fit); },
  beforeUnmount() { PHONE.removeEventListener("change", this.fit); },
  computed: {
    axis() { return this.rung; },
    // for every line and every k the point that the slider shows: the most useful one for this k or a larger one, which keeps k too
    lookup() {
      return this.lines.map((line) => {
        const found = new Array(this.largest + 1).fill(null);
        let best = null, next = line.points.length - 1;
        for (let k = this.largest; k >= 0; k--) {
          for (; next >= 0 && line.points[next].k >= k; next--) {
            if (best === null || this.value(line.points[next]) >= this.value(best)) best = line.points[next];
          }
          found[k] = best;
        }
        return found;
      });
    },
    bounds() {
      const all = this.lines.flatMap((line) => line.points.flatMap((point) => [point.utility, this.value(point)]));
      const low = Math.min(...all, 0.99);  // there is something below 100 % even where nothing is lost, or known yet
      return [Math.max(Math.floor(low * 5) / 5, 0), 1];
    },
    paths() {
      // between two points, that of the larger k counts: a line goes down in steps, and the slider's marker is always on it
      if (this.axis) {
        return this.lines.map((line) => line.points.filter((point) => this.number(point) !== null)
          .map((point, i) => (i ? "L" : "M") + this.across_of(point).toFixed(1) + " " + this.y(this.value(point)).toFixed(1)).join(""));
      }
      return this.lines.map((line, place) => line.points.map((point, i) => {
        const height = this.y(this.value(this.at(place, point.k))).toFixed(1), across = this.x(point.k).toFixed(1);
        return (i ? "V" + height : "M" + this.x(2).toFixed(1) + " " + height) + "H" + across;  // what keeps k keeps a smaller one
      }).join(""));
    },
    labels() {
      // names stand beside the chart, where no line covers them, moved apart where two would cover each other; a thin line leads there from the end of their own
      const found = this.lines.flatMap((line, place) => {
        const last = line.points[line.points.length - 1];
        if (!last) return [];
        const furthest = this.axis ? line.points.reduce((a, b) => (this.across_of(b) > this.across_of(a) ? b : a)) : last;
        const end = [this.axis ? this.across_of(furthest) : this.x(last.k), this.y(this.value(furthest))];
        return [{ name: line.name, shown: line.shown, colour: this.colour(place), end, x: WIDTH - this.right + 10, y: end[1] + 4 }];
      }).sort((a, b) => a.y - b.y);
      for (let i = 1; i < found.length; i++) found[i].y = Math.max(found[i].y, found[i - 1].y + NAME);
      const over = found.length ? found[found.length - 1].y - (HEIGHT - BOTTOM) : 0;
      if (over > 0) for (let i = found.length - 1, limit = HEIGHT - BOTTOM; i >= 0 && found[i].y > limit; i--, limit -= NAME) found[i].y = limit;
      return found;
    },
    upward() {
      const found = [];
      for (let tenth = Math.round(10 * this.bounds[0]); tenth <= 10; tenth += this.bounds[0] < 0.45 ? 2 : 1) found.push(tenth / 10);
      return found;
    },
    across() {
      if (!this.axis) return TICKS.filter((k) => k <= this.largest).map((k) => ({ x: this.x(k), text: String(k) }));
      const [low, high] = this.range, found = [{ x: LEFT + APART / 2, text: this.words.nothing, apart: true }];
      const all = this.axis === "differencing" ? [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50] : [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];
      for (const value of all) if (value <= high * 1.001 && value >= low * 0.999) found.push({ x: this.x_of(value), text: this.axis === "differencing" ? String(value) : this.percent(value) });
      return found;
    },
    // the smallest and the largest number of the rung, with some room
    range() {
      const all = this.lines.flatMap((line) => line.points.map(this.number)).filter((value) => value !== null && value > 0);
      if (this.axis === "differencing") return all.length ? [Math.min(...all, 1) * 0.8, Math.max(...all, 1) * 1.25] : [0.1, 10];
      return [Math.min(...all, 0.1) * 0.9, 1];
    },
    rows() {
      return this.lines.map((line, place) => {
        const point = this.at(place, this.k), aim = this.aim(line, point);
        return {
          name: line.name, shown: line.shown, note: line.note, point, aim, colour: this.colour(place), dash: this.dash(place),
          current: this.chosen(line, aim), tagged: this.chosen(line, aim) || this.chosen(line, this.k),
        };
      });
    },
  },
  methods: {
    // the rung of the ladder on the axis: the number of a point, and its place; those that promise nothing stand apart, on the left
    number(point) { const found = point.rungs[this.axis]; return found && found[1] !== "nothing" ? found[0] : null; },
    how(point) { return this.axis ? (point.rungs[this.axis] || [null, "nothing"])[1] : point.basis; },
    told(point) {
      if (!this.axis) return this.percent(point.risk);
      const value = this.number(point);
      return value === null ? "–" : this.axis === "differencing" ? "ε = " + parseFloat(value.toPrecision(3)) : this.percent(value);
    },
    named(name) { return this.rungs.find((each) => each[0] === name)[1]; },
    x_of(value) {
      const [low, high] = this.range;
      return LEFT + APART + ((WIDTH - LEFT - APART - this.right) * Math.log(high / Math.max(value, low))) / Math.log(high / low || 2);
    },
    across_of(point) { const value = this.number(point); return value === null ? LEFT + APART / 2 : this.x_of(value); },
    value(point) { return this.shown === "reconstructed" && point.reconstructed !== null ? point.reconstructed : point.utility; },
    // the k to apply: the slider's, or a larger one once it is known to be more useful
    aim(line, point) { return point && line.points.some((each) => each.k === this.k) ? point.k : this.k; },
    chosen(line, k) { return this.current !== null && this.current.line === line.name && this.current.k === k; },
    at(place, k) { return this.lookup[place][Math.min(k, this.largest)]; },
    place(name) { return this.lines.findIndex((line) => line.name === name); },
    colour(place) { return "var(--series-" + (place % DASHES.length) + ")"; },
    dash(place) { return DASHES[place % DASHES.length]; },
    x(k) { return LEFT + ((WIDTH - LEFT - this.right) * Math.log(k / 2)) / Math.log(Math.max(this.largest, 3) / 2); },
    y(share) { return HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (share - this.bounds[0])) / (this.bounds[1] - this.bounds[0] || 1); },
    percent(share) { return parseFloat((100 * share).toPrecision(3)) + "%"; },
    // the slider is as logarithmic as the axis: it stands under the line that it moves
    position(k) { return Math.round((STEPS * Math.log(k / 2)) / Math.log(Math.max(this.largest, 3) / 2)); },
    at_part(part) { return Math.min(Math.max(Math.round(2 * Math.exp(part * Math.log(Math.max(this.largest, 3) / 2))), 2), this.largest); },
    slide(event) { this.k = this.at_part(event.target.valueAsNumber / STEPS); },
    walk(event) {
      const far = Math.max(Math.round(this.k / 4), 1);
      const to = { ArrowRight: this.k + 1, ArrowUp: this.k + 1, ArrowLeft: this.k - 1, ArrowDown: this.k - 1, PageUp: this.k + far, PageDown: this.k - far, Home: 2, End: this.largest }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.k = Math.min(Math.max(to, 2), this.largest);
      clearTimeout(this.timer);
      this.timer = setTimeout(this.settled, 400);
    },
    fit() { this.right = PHONE.matches ? NARROW : NAMES; },
    settled() {
      clearTimeout(this.timer);
      this.$emit("settle", this.k);
    },
    grab(event) {
      if (this.axis) return;
      this.held = true;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.drag(event);
    },
    drag(event) {
      if (!this.held) return;
      const frame = event.currentTarget.getBoundingClientRect();
      const part = (((event.clientX - frame.left) / frame.width) * WIDTH - LEFT) / (WIDTH - LEFT - this.right);
      this.k = this.at_part(part);
    },
    release() {
      if (this.held) this.settled();
      this.held = false;
    },
  },
};
