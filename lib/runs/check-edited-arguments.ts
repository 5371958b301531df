import 'server-only'
import { ConflictError, ValidationError } from '@/lib/errors'
import { parseArguments } from '@/lib/runtime/parse-arguments'
import { loadToolset } from '@/lib/toolset/load-toolset'

/** Throws ValidationError, with what is wrong, for arguments the tool would refuse (SPEC R11). */
export async function checkEditedArguments(toolName: string, argumentsText: string): Promise<void> {
  const tool = (await loadToolset()).get(toolName)
  if (!tool) throw new ConflictError('This tool no longer exists.')
  const parsed = parseArguments(tool, argumentsText)
  if (parsed.ok) return
  throw new ValidationError({ argumentsText: parsed.issues.join(' ') })
}
