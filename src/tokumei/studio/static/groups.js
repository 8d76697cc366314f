// Labels in groups. A label is dragged into another group, or chosen (Space or Enter, several too) and moved by the form below.
export default {
  template: `
    <div class="workshop">
      <div class="groups">
        <section v-for="group in shownGroups" :key="group.name" class="group" :data-group="group.shown" :class="{ over: over === group.name, lacking: group.lacking }"
          @dragover.prevent="over = group.lacking ? null : group.name" @dragleave="over = null" @drop.prevent="drop(group)">
          <header v-if="group.lacking"><strong>{{ words.lacking }}</strong></header>
          <header v-else>
            <input :value="group.shown" :aria-label="words.name" @change="rename(group, $event.target)" />
            <span class="note">{{ total(group) }}</span>
          </header>
          <div class="chips">
            <span v-for="item in group.items" :key="item.label" role="button" tabindex="0" class="chip" draggable="true"
              :aria-pressed="chosen.includes(item.label)" @click="choose(item.label)" @keydown.enter.prevent="choose(item.label)"
              @keydown.space.prevent="choose(item.label)" @dragstart="start(item.label, $event)">
              {{ item.shown }}<small v-if="item.rows !== null"> {{ item.rows.toLocaleString() }}</small>
            </span>
          </div>
        </section>
      </div>
      <div class="row bottom">
        <label class="field"><span>{{ words.into }}</span>
          <input class="into" :value="target" :list="'groups-' + $.uid" @input="target = $event.target.value" @keydown.enter="move(target)" />
        </label>
        <datalist :id="'groups-' + $.uid"><option v-for="group in groups" :value="group.name"></option></datalist>
        <button type="button" class="button" :aria-disabled="chosen.length && target.trim() ? null : 'true'" @click="move(target)">{{ words.move }}</button>
        <span class="note" role="status">{{ chosen.length ? chosen.length + " " + words.chosen : words.how }}</span>
      </div>
    </div>`,
  props: { groups: Array, lacking: Array, words: Object },
  emits: ["moved", "renamed"],
  data: () => ({ chosen: [], dragged: null, over: null, target: "" }),
  computed: {
    shownGroups() {
      const rest = this.lacking.length ? [{ name: "\u0000", lacking: true, items: this.lacking }] : [];
      return [...rest, ...this.groups];
    },
  },
  methods: {
    total(group) { return group.items.reduce((sum, each) => sum + (each.rows ?? 0), 0).toLocaleString(); },
    choose(label) { this.chosen = this.chosen.includes(label) ? this.chosen.filter((each) => each !== label) : [...this.chosen, label]; },
    start(label, event) {
      this.dragged = this.chosen.includes(label) ? this.chosen : [label];
      event.dataTransfer.setData("text/plain", label);
    },
    drop(group) {
      this.over = null;
      if (group.lacking || !this.dragged) return;
      this.$emit("moved", { items: this.dragged, group: group.name });
      this.dragged = null;
    },
    move(target) {
      if (!this.chosen.length || !target.trim()) return;
      this.$emit("moved", { items: this.chosen, group: target.trim() });
      this.chosen = [];
    },
    rename(group, input) {
      const name = input.value.trim();
      if (name && name !== group.shown) this.$emit("renamed", { group: group.name, name });
      else input.value = group.shown;
    },
  },
};
