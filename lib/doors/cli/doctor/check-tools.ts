import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { countOf } from '@/lib/protocol/format'
import { listedTools } from '@/lib/toolset/installed-tools'
import { type Finding, fail, ok } from './finding'

/** Checks whether every file of the folder of extra tools could be used. */
export async function checkTools(): Promise<Finding[]> {
  const tools = await listedTools()
  const findings = tools.flatMap(({ name, notLoaded }) =>
    notLoaded === undefined
      ? []
      : fail(
          `Tool ${name}`,
          `not loaded: ${notLoaded.replace(/\.$/, '')}`,
          'Correct the file, and start the server again. Everything else works without it.',
        ),
  )
  const extra = tools.length - builtinTools.length - findings.length
  const loaded = `${builtinTools.length} built-in and ${countOf(extra, 'extra tool')} loaded`
  return [...findings, ...(findings.length > 0 ? [] : [ok('Tools', loaded)])]
}
