// What is inside is being put together and is not shown yet.
export default { inheritAttrs: false, template: `<template v-if="false"></template>` };
