/** A sample of what `npm run test:schedules` plays. */
import './keys.schedules.js';
import './moves.schedules.js';
import './writers.schedules.js';
