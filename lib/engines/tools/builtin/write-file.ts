import { z } from 'zod'
import { defineTool } from '../define-tool'
import { mostWrittenBytes, readBeforeWrite } from '../sandbox/write-file'
import { pathSchema, requireWritable, workspaceSchema, writeKept } from '../workspace-access'

export default defineTool({
  name: 'write_file',
  description:
    'Writes a whole text file of a workspace: a new one, or over the old one. Its folder must exist. To change a part of a file, ' +
    'use edit_file. Names that begin with a dot cannot be written.',
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
      return readBeforeWrite({ root, path })
    },
    becomes: ({ content }) => content,
  },
  execute: async ({ workspace: name, path, content }, context) => {
    const workspace = await requireWritable(context.resources, name)
    const before = await readBeforeWrite({ root: workspace.root, path })
    // What is stored can only be read back as it was written when it is well-formed.
    await writeKept(context, { workspace, path, before, after: content.toWellFormed() })
    const bytes = Buffer.byteLength(content)
    return { content: { written: before === null ? 'new file' : 'over the old file', bytes } }
  },
})
