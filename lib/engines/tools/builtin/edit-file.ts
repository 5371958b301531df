import { z } from 'zod'
import { hiddenSpans } from '@/lib/kernel/redaction/redact-text'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
import { fileFacts, withMarkOf } from '../sandbox/text-file'
import { notPermitted } from '../sandbox/workspace-path'
import { mostWrittenBytes, readBeforeWrite } from '../sandbox/write-file'
import { pathSchema, requireWritable, workspaceSchema, writeKept } from '../workspace-access'

const mostCounted = 1_000

const parameters = z.object({
  workspace: workspaceSchema(),
  path: pathSchema('A file below the workspace, such as "docs/start.md".'),
  find: z
    .string()
    .min(1)
    .max(100_000)
    .describe('The text to replace, exactly as it stands in the file, once.'),
  replace: z.string().max(mostWrittenBytes).describe('What stands there then.'),
})
type Edit = Pick<z.output<typeof parameters>, 'find' | 'replace'>

export default defineTool({
  name: 'edit_file',
  isPlain: true,
  description:
    'Replaces one passage of a text file of a workspace. "find" must match exactly once, with spaces and line breaks ("\\n" also matches "\\r\\n"): read the ' +
    'file first, and give more lines around the passage when it matches several times. Names that begin with a dot cannot be changed.',
  group: 'workspace',
  parameters,
  enabledByDefault: false,
  requiresAdmin: false,
  needs: 'workspace',
  effect: 'write',
  dataClass: 'source-code',
  timeoutMs: 20_000,
  limits: ['1 MiB a file'],
  example: { workspace: 'handbook', path: 'notes.md', find: '# Notes', replace: '# Meeting notes' },
  look: {
    read: async ({ workspace, path }, { resources }) => {
      const { root } = await requireWritable(resources, workspace)
      return (await readBeforeWrite({ root, path }))?.text ?? null
    },
    becomes: (edit, now) => (typeof now === 'string' ? edited(now, edit).text : null),
  },
  execute: async ({ workspace: name, path, ...edit }, context) => {
    const workspace = await requireWritable(context.resources, name)
    const old = await readBeforeWrite({ root: workspace.root, path })
    if (old === null) throw notPermitted()
    const { text, matches } = edited(old.text, edit)
    if (text === null) throw new ToolError('not-once', matchWords(matches))
    const { bytes, encoding } = await writeKept(context, { workspace, path, old, after: text })
    return { content: { edited: true, bytes, ...fileFacts({ text, encoding }) } }
  },
})

/**
 * Returns the text after an edit; null = what it looks for is not there exactly once. Lines match whatever ends them, and
 * the new ones end as the old ones do. What is hidden of the file is never a match, so that nobody can guess it letter by
 * letter.
 */
function edited(file: string, { find, replace }: Edit): { text: string | null; matches: number } {
  const { text, placeIn } = withPlainEnds(file)
  const wanted = find.replaceAll('\r\n', '\n')
  const hidden = hiddenSpans(file)
  let next = 0
  const places: { start: number; end: number }[] = []
  for (let at = text.indexOf(wanted); at !== -1 && places.length < mostCounted; ) {
    const [start, end] = [placeIn(at), placeIn(at + wanted.length)]
    while ((hidden[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1
    const span = hidden[next]
    const isHidden = span !== undefined && span.start < end
    if (!isHidden) places.push({ start, end })
    // Also counts matches that overlap, of which one could be meant as well as the other.
    at += 1
    while (isHidden && placeIn(at) < span.end) at += 1
    at = text.indexOf(wanted, at)
  }
  const [place] = places
  if (place === undefined || places.length > 1) return { text: null, matches: places.length }
  const after = file.slice(0, place.start) + endedAsIn(file, place, replace) + file.slice(place.end)
  return { text: withMarkOf(file, after.toWellFormed()), matches: 1 }
}

/** Returns a text with "\n" for each "\r\n", and a function from places in it to places in the text as it was. */
function withPlainEnds(file: string): { text: string; placeIn: (at: number) => number } {
  const lines = file.split('\r\n')
  // Positions of "\r\n" in the new text.
  const ends: number[] = []
  let length = -1
  for (const line of lines.slice(0, -1)) {
    length += line.length + 1
    ends.push(length)
  }
  const before = (at: number) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return low
  }
  return { text: lines.join('\n'), placeIn: (at) => at + before(at) }
}

/** Returns the new text of a passage, whose lines end as those of the passage; without any there, as the line that it stands in. */
function endedAsIn(
  file: string,
  { start, end }: { start: number; end: number },
  text: string,
): string {
  const inside = file.slice(start, end).match(/\r?\n/g)
  const around =
    /\r?\n/.exec(file.slice(end))?.[0] ?? file.slice(0, start).match(/\r?\n/g)?.at(-1) ?? null
  const ends = inside ?? (around === null ? null : [around])
  if (ends === null) return text
  let line = 0
  return text.replace(/\r?\n/g, () => ends[Math.min(line++, ends.length - 1)] ?? '\n')
}

function matchWords(matches: number): string {
  if (matches === 0)
    return '"find" matches nothing that this file shows. Read it, and give the text exactly as it stands there.'
  const times = matches >= mostCounted ? `${mostCounted} times or more` : `${matches} times`
  return `"find" matches ${times}. Give more of the text around the passage, so that it matches once.`
}
