import { z } from 'zod'
import { defineTool } from '../define-tool'
import { mostFiles, mostMatches, searchFiles } from '../sandbox/search-files'
import { pathSchema, requireWorkspace, workspaceSchema } from '../workspace-access'

export default defineTool({
  name: 'search_files_text',
  description:
    'Finds lines with a text or a pattern in the text files of a workspace, with path, line number and the line. Use it to find ' +
    'where something is written before you read whole files.',
  group: 'workspace',
  parameters: z.object({
    workspace: workspaceSchema(),
    pattern: z
      .string()
      .min(1)
      .max(200)
      .describe('What to find within a line, in exactly this letter case.'),
    path: pathSchema('Only below this folder.').default(''),
    glob: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only these files: "*.md", or with the folder: "docs/**/*.md".'),
    regex: z
      .boolean()
      .default(false)
      .describe('True: the pattern is a regular expression in RE2 syntax.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'workspace',
  effect: 'read',
  dataClass: 'source-code',
  timeoutMs: 20_000,
  limits: [
    `${mostMatches} matches`,
    `${mostFiles.toLocaleString('en')} files`,
    '20 MiB read',
    'files of 5 MiB',
    'the first 2,000 characters of a line',
    '5 seconds of work',
  ],
  example: { workspace: 'handbook', pattern: 'holiday', glob: '*.md' },
  execute: async ({ workspace, pattern, path, glob, regex }, { resources, signal }) => {
    const { root } = await requireWorkspace(resources, workspace)
    const query = { pattern, path, glob: glob ?? null, isExpression: regex }
    return searchFiles(root, query, signal)
  },
})
