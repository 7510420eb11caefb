// SPDX-License-Identifier: Apache-2.0
// Shows the picture of the page.
import {showFleet} from './fleet.js';
import {showFlameGraphs} from './flames.js';
import {showHeatMaps} from './heats.js';
import {showLive} from './live.js';
import {addPageHead} from './page.js';

const SHOWS = {flamegraph: showFlameGraphs, fleet: showFleet, heatmap: showHeatMaps, live: showLive};

const picture = JSON.parse(document.getElementById('picture').textContent);
addPageHead(document.body, document.title, picture.about);
SHOWS[picture.show](document.body, picture);
performance.mark('shown');
