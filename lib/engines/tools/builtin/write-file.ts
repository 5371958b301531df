import { z } from 'zod'
import { defineTool } from '../define-tool'
import { fileFacts, withLineEndsOf, withMarkOf } from '../sandbox/text-file'
import { mostWrittenBytes, readBeforeWrite } from '../sandbox/write-file'
import { pathSchema, requireWritable, workspaceSchema, writeKept } from '../workspace-access'

export default defineTool({
  name: 'write_file',
  isPlain: true,
  description:
    'Writes a whole text file of a workspace: a new one, or over the old one. Its folder must exist. To change a part of a file, ' +
    'use edit_file. An old file keeps its encoding, and its line ends where the text has only "\n". Names that begin with a dot cannot be written.',
  group: 'workspace',
  parameters: z.object({
    workspace: workspaceSchema(),
    path: pathSchema('A file below the workspace, such as "docs/start.md".'),
    content: z.string().max(mostWrittenBytes).describe('The whole text that the file has then.'),
  }),
  enabledByDefault: false,
  requiresAdmin: false,
  needs: 'workspace',
  effect: 'write',
  dataClass: 'source-code',
  timeoutMs: 20_000,
  limits: ['1 MiB a file'],
  example: { workspace: 'handbook', path: 'notes.md', content: '# Notes\n' },
  look: {
    read: async ({ workspace, path }, { resources }) => {
      const { root } = await requireWritable(resources, workspace)
      return (await readBeforeWrite({ root, path }))?.text ?? null
    },
    becomes: ({ content }, now) => textToWrite(content, now ?? null),
  },
  execute: async ({ workspace: name, path, content }, context) => {
    const workspace = await requireWritable(context.resources, name)
    const old = await readBeforeWrite({ root: workspace.root, path })
    const after = textToWrite(content, old?.text ?? null)
    const { bytes, encoding } = await writeKept(context, { workspace, path, old, after })
    const facts = fileFacts({ text: after, encoding })
    return {
      content: { written: old === null ? 'new file' : 'over the old file', bytes, ...facts },
    }
  },
})

/**
 * Returns what is written for a text: with the line ends and the byte order mark of the old file. What is stored can only
 * be read back as it was written when it is well-formed.
 */
function textToWrite(content: string, before: string | null): string {
  return withMarkOf(before, withLineEndsOf(before, content.toWellFormed()))
}
