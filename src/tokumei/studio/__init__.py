"""The studio: a local web app that makes a release step by step, and the plan that makes it again.

`tokumei.studio.session` holds the work itself and needs no browser. The rest shows it: `server` opens a port of this machine
only, `guard` decides who may come in, `app` puts the page together, and each screen is one file in `screens`.
"""
