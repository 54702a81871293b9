// Two constants of the text-measuring packages cost more than Node's own start (a word breaker and the table of all emoji)
// and are used only for text outside ASCII, so the bundle makes them when they are first asked for.
import { readFile } from 'node:fs/promises'

const deferrals = [
  ['new Intl.Segmenter()', 'segment'],
  ['/^\\p{RGI_Emoji}$/v', 'test'],
]

function defer(source) {
  return deferrals.reduce((text, [expression, method]) => {
    const deferred = `{ ${method}(text) { return (this.made ??= ${expression}).${method}(text) } }`
    return text.replace(`= ${expression};`, `= ${deferred};`)
  }, source)
}

export const deferredConstants = {
  name: 'deferred-constants',
  setup(build) {
    let files = 0
    build.onLoad({ filter: /node_modules\/(string-width|wrap-ansi)\/index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = defer(source)
      if (contents !== source) files += 1
      return { contents, loader: 'js' }
    })
    build.onEnd(() => {
      if (files < 2)
        throw new Error(
          'the constants to defer are written differently now: see scripts/deferred-constants.js',
        )
    })
  },
}
