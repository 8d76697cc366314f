// Something to fill in. What the person sees is kept here and goes to the studio; the studio's own changes come as a new push.
// Whatever else on the page is drawn anew, the control stays as it is.
export default {
  template: `
    <select v-if="kind === 'select'" :value="now" @change="choose($event.target.value)">
      <option v-for="[name, shown] in options" :key="name" :value="name">{{ shown }}</option>
    </select>
    <input v-else-if="kind === 'checkbox'" type="checkbox" :checked="now" @change="choose($event.target.checked)" />
    <textarea v-else-if="kind === 'textarea'" :value="now" @input="type($event.target.value)" @change="choose($event.target.value)"></textarea>
    <input v-else :type="kind" :value="now" @input="type($event.target.value)" @change="choose($event.target.value)" />`,
  props: { kind: String, value: [String, Boolean], options: Array, pushed: Number, delay: Number },
  emits: ["heard"],
  data() { return { now: this.value, told: this.value, timer: 0 }; },
  watch: {
    pushed() {
      clearTimeout(this.timer);
      this.now = this.told = this.value;
    },
  },
  methods: {
    type(value) {
      this.now = value;
      if (this.delay === undefined) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.choose(this.now), this.delay);
    },
    choose(value) {
      clearTimeout(this.timer);
      this.now = value;
      if (value === this.told) return;
      this.told = value;
      this.$emit("heard", value);
    },
  },
  beforeUnmount() { clearTimeout(this.timer); },
};
