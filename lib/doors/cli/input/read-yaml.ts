import { parseDocument } from 'yaml'
import { ValidationError } from '@/lib/kernel/errors'

/** Parses YAML, or JSON, into plain values: no tags, no aliases, one document. Throws ValidationError. */
export function readYaml(bytes: Buffer): unknown {
  const document = parseDocument(bytes.toString('utf8'), {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    // A quieter one says nothing about a second document.
    logLevel: 'error',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem?.code === 'MULTIPLE_DOCS')
    throw new ValidationError({ file: 'It holds more than one YAML document.' })
  if (problem)
    throw new ValidationError({ file: `It is not valid YAML: ${problem.message.slice(0, 200)}.` })
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw new ValidationError({ file: 'It uses an alias (*name). Write the value instead.' })
  }
}
