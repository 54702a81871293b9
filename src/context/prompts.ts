// Only the prompts that are asked: the collection of all of them brings an editor with half a megabyte of encodings.
export { default as confirm } from '@inquirer/confirm'
export { default as input } from '@inquirer/input'
export { default as password } from '@inquirer/password'
export { default as search } from '@inquirer/search'
export { default as select } from '@inquirer/select'
export { withoutColor } from '../output/without-color.ts'
