export { allowedTags } from './format-table.js';
export * from './choices.js';
export * from './describe.js';
export * from './edit.js';
export { fieldLabelOf, type FieldLabel, formSections, type Section } from './field-labels.js';
export * from './inputs.js';
export * from './limits.js';
export * from './undo.js';
export * from './upload.js';
