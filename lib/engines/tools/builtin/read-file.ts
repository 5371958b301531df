import { z } from 'zod'
import { defineTool } from '../define-tool'
import { mostLines, readPage } from '../sandbox/read-text'
import { pathSchema, requireWorkspace, workspaceSchema } from '../workspace-access'

export default defineTool({
  name: 'read_file',
  description:
    'Reads lines of a text file of a workspace. The first line of the answer says which lines follow and how many there are. ' +
    'Use it after list_directory or search_files_text, and read a long file in parts. Other files than text are refused.',
  group: 'workspace',
  parameters: z.object({
    workspace: workspaceSchema(),
    path: pathSchema('A file below the workspace, such as "docs/start.md".'),
    start: z.int().min(1).max(10_000_000).default(1).describe('The first line wanted.'),
    lines: z.int().min(1).max(mostLines).default(mostLines).describe('How many lines.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'workspace',
  effect: 'read',
  dataClass: 'source-code',
  timeoutMs: 20_000,
  limits: ['2,000 lines and 200,000 characters a call', 'files of 10 MiB'],
  example: { workspace: 'handbook', path: 'README.md', start: 1, lines: 200 },
  execute: async ({ workspace, path, start, lines: wanted }, { resources }) => {
    const { root } = await requireWorkspace(resources, workspace)
    const page = await readPage(root, path, { start, lines: wanted })
    const { text, first, last, lines, isCut, secrets, undecoded, encoding, lineEnds } = page
    const leftOut = [
      ...(first > 1
        ? [{ what: `lines 1 to ${Math.min(first - 1, lines)}`, why: `it began at line ${first}` }]
        : []),
      ...(last >= first && last < lines
        ? [{ what: `lines ${last + 1} to ${lines}`, why: `go on with start ${last + 1}` }]
        : []),
      ...(isCut
        ? [{ what: `the end of line ${first}`, why: 'a call shows at most 200,000 characters' }]
        : []),
      ...secrets,
      ...undecoded,
    ]
    if (last < first)
      return { content: `It has ${lines} lines, none of them from ${first} on.`, leftOut }
    const stored = encoding ? ` The file is stored in ${encoding}.` : ''
    const ends = lineEnds ? ` Its line ends are ${lineEnds}.` : ''
    const form = stored + ends
    return { content: `Lines ${first} to ${last} of ${lines}.${form}\n\n${text}`, leftOut }
  },
})
