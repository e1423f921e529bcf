import { runDoctor } from '../doctor/doctor.js';

const { lines, exitCode } = await runDoctor();
console.log(lines.join('\n'));
process.exitCode = exitCode;
