import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const sources = ['lib', 'app', 'components']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => path.join(folder, String(file))),
  )
  .filter(
    (file) => /(?<!\.test|\.generated)\.tsx?$/.test(file) && !file.startsWith('lib/generated'),
  )

/** Returns the files whose text has such a call. */
function calling(pattern: RegExp): string[] {
  return sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).sort()
}

/**
 * Files that may call a tool: the step of a run that the gates allowed, and the two that wrap a tool's own function.
 */
const callers = [
  'lib/engines/runtime/call/execute-tool.ts',
  'lib/engines/tools/bind-tool.ts',
  'lib/engines/tools/define-tool.ts',
  'lib/engines/tools/to-extra-tool.ts',
]

test('there is one way to a tool, built in, extra or of a server', () => {
  expect(calling(/(?<!function )(?<!async )\bexecute\((?!args: )/)).toEqual(callers)
})

test('a server is called by its own tools alone', () => {
  expect(calling(/\.callTool\(/)).toEqual([
    'lib/engines/mcp/connection.ts',
    'lib/toolset/servers/call-remote.ts',
  ])
})
