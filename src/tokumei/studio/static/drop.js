// A place to drop a file, and a button to choose one. The file goes straight to the studio's private folder.
export default {
  template: `
    <div class="drop" :class="{ over }" @dragover.prevent="over = true" @dragleave="over = false" @drop.prevent="dropped">
      <p>{{ invitation }}</p>
      <label class="button primary">
        {{ choose }}
        <input class="unseen" type="file" :accept="accept" @change="chosen" />
      </label>
      <div v-if="share !== null" class="meter" role="progressbar" :aria-valuenow="Math.round(100 * share)" aria-valuemin="0"
        aria-valuemax="100" :aria-label="choose"><i :style="{ width: 100 * share + '%' }"></i></div>
      <p v-if="problem" class="problem" role="alert">{{ problem }}</p>
    </div>`,
  props: { url: String, invitation: String, choose: String, accept: String, failed: String },
  data: () => ({ over: false, share: null, problem: "" }),
  methods: {
    dropped(event) {
      this.over = false;
      this.send(event.dataTransfer.files[0]);
    },
    chosen(event) {
      this.send(event.target.files[0]);
      event.target.value = "";
    },
    send(file) {
      if (!file) return;
      this.problem = "";
      this.share = 0;
      const request = new XMLHttpRequest();
      request.open("POST", this.url);
      request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.upload.onprogress = (event) => (this.share = event.loaded / Math.max(event.total, 1));
      request.onloadend = () => {
        this.share = null;
        if (request.status === 200) this.$emit("handed", request.responseText);
        else this.problem = request.responseText || this.failed;
      };
      request.send(file);
    },
  },
};
