'use client'
import { Disclosure } from '@/components/trace/disclosure'
import { Button } from '@/components/ui/button'
import type { FieldControl } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { schemaProblems } from '@/lib/json-schema/output-schema'
import { schemaSample } from '@/lib/json-schema/schema-sample'

type Props = {
  field: FieldControl
  text: string
  onType: (text: string) => void
}

/** Shows a field for a JSON Schema, with the problems of what is typed so far and a sample value that fits it. */
export function SchemaField({ field, text, onType }: Props) {
  const schema = parsed(text)
  const problems = problemsOf(text, schema)
  return (
    <div className="flex flex-col gap-1">
      <Textarea
        {...field}
        rows={text === '' ? 2 : 8}
        spellCheck={false}
        value={text}
        placeholder='{"type": "object", "properties": {}}'
        className="min-h-0 font-mono text-mono"
        onChange={(event) => onType(event.target.value)}
      />
      <div role="status" className="text-sm text-warning">
        {problems.length > 0 && (
          <ul className="list-none">
            {problems.map((problem) => (
              <li key={problem} className="[overflow-wrap:anywhere]">
                {problem}
              </li>
            ))}
          </ul>
        )}
      </div>
      {schema && (
        <div className="flex flex-wrap items-start gap-3">
          <Button size="sm" onClick={() => onType(JSON.stringify(schema, null, 2))}>
            Format
          </Button>
          {problems.length === 0 && (
            <Disclosure summary="Sample answer">
              <pre className="overflow-x-auto font-mono text-mono">
                {JSON.stringify(schemaSample(schema), null, 2)}
              </pre>
            </Disclosure>
          )}
        </div>
      )}
    </div>
  )
}

function problemsOf(text: string, schema: Record<string, unknown> | null): string[] {
  if (text.trim() === '') return []
  return schema ? schemaProblems(schema) : ['This is not a JSON object yet.']
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null
  } catch {
    return null
  }
}
