import { z } from 'zod'
import { hiddenSpans } from '@/lib/kernel/redaction/redact-text'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
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
  description:
    'Replaces one passage of a text file of a workspace. "find" must match exactly once, with spaces and line breaks: read the ' +
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
      return readBeforeWrite({ root, path })
    },
    becomes: (edit, now) => (typeof now === 'string' ? edited(now, edit).text : null),
  },
  execute: async ({ workspace: name, path, ...edit }, context) => {
    const workspace = await requireWritable(context.resources, name)
    const before = await readBeforeWrite({ root: workspace.root, path })
    if (before === null) throw notPermitted()
    const { text, matches } = edited(before, edit)
    if (text === null) throw new ToolError('not-once', matchWords(matches))
    await writeKept(context, { workspace, path, before, after: text })
    return { content: { edited: true, bytes: Buffer.byteLength(text) } }
  },
})

/**
 * Returns the text after an edit; null = what it looks for is not there exactly once. What is hidden of the file is never a match, so
 * that nobody can guess it letter by letter.
 */
function edited(text: string, { find, replace }: Edit): { text: string | null; matches: number } {
  const hidden = hiddenSpans(text)
  let next = 0
  const places: number[] = []
  for (let at = text.indexOf(find); at !== -1 && places.length < mostCounted; ) {
    while ((hidden[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next += 1
    if ((hidden[next]?.start ?? Number.POSITIVE_INFINITY) >= at + find.length) places.push(at)
    // Also counts matches that overlap, of which one could be meant as well as the other.
    at = text.indexOf(find, at + 1)
  }
  const [at] = places
  if (at === undefined || places.length > 1) return { text: null, matches: places.length }
  const after = text.slice(0, at) + replace + text.slice(at + find.length)
  return { text: after.toWellFormed(), matches: 1 }
}

function matchWords(matches: number): string {
  if (matches === 0)
    return '"find" matches nothing that this file shows. Read it, and give the text exactly as it stands there.'
  const times = matches >= mostCounted ? `${mostCounted} times or more` : `${matches} times`
  return `"find" matches ${times}. Give more of the text around the passage, so that it matches once.`
}
