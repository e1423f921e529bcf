export * from './choices.js';
export * from './edit.js';
export * from './inputs.js';
export * from './limits.js';
export * from './undo.js';
export * from './upload.js';
