'use client'
import { Tabs } from 'radix-ui'
import { useEffect, useId } from 'react'
import { Choice } from '@/components/forms/choice'
import { Checkbox } from '@/components/ui/checkbox'
import { Field, type FieldControl } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { escapeInvisible, visibleText } from '@/lib/words/clean-text'
import { type FieldProblems, problemsOf } from './field-problems'
import { draftText, fieldsOf, type Schema, type SchemaDraft } from './schema-draft'
import { type FieldValues, type SchemaField, valuesOf } from './schema-fields'

type Props = {
  schema: Schema
  draft: SchemaDraft
  onChange: (draft: SchemaDraft) => void
  /** Why the tool refused what was typed, a line each. Lines that begin with the name of a field are shown there. */
  error?: string | undefined
  /** Called once the fields are there. */
  onShown?: () => void
}

/** Shows fields for an object of a JSON Schema, and the same as JSON. What was typed in one stays in the other. */
export function SchemaForm({ schema, draft, onChange, error = '', onShown }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => onShown?.(), [])
  const fields = fieldsOf(schema)
  const problems = problemsOf(fields ?? [], error.split('\n').filter(Boolean))
  const read = fields && draft.mode === 'json' ? valuesOf(fields, draft.text) : null
  const choose = (mode: string) => {
    if (mode === draft.mode) return
    if (mode === 'json') onChange({ mode: 'json', text: escapeInvisible(draftText(schema, draft)) })
    else if (read) onChange({ mode: 'fields', ...read })
  }
  return (
    <Tabs.Root value={draft.mode} onValueChange={choose} className="flex flex-col gap-3">
      {fields && (
        <Tabs.List aria-label="How to give the arguments" className="flex gap-4 border-b">
          <Tab value="fields" disabled={draft.mode === 'json' && read === null}>
            Fields
          </Tab>
          <Tab value="json">JSON</Tab>
        </Tabs.List>
      )}
      <Tabs.Content value="fields" className="flex flex-col gap-3">
        {fields && draft.mode === 'fields' && (
          <>
            {fields.length === 0 && <p className="text-muted">It takes no arguments.</p>}
            {problems.rest.map((problem) => (
              <p key={problem} role="alert" className="text-error text-sm [overflow-wrap:anywhere]">
                {visibleText(problem)}
              </p>
            ))}
            <Fields
              fields={fields}
              values={draft.values}
              problems={problems}
              onChange={(values) => onChange({ ...draft, values })}
            />
            <Others names={Object.keys(draft.others)} />
          </>
        )}
      </Tabs.Content>
      <Tabs.Content value="json" className="flex flex-col gap-3">
        {draft.mode === 'json' && (
          <JsonField
            text={draft.text}
            error={fields && !read ? 'This is no JSON object yet.' : visibleText(error)}
            onType={(text) => onChange({ mode: 'json', text })}
          />
        )}
      </Tabs.Content>
    </Tabs.Root>
  )
}

function Tab({
  value,
  disabled,
  children,
}: {
  value: string
  disabled?: boolean
  children: string
}) {
  return (
    <Tabs.Trigger
      value={value}
      disabled={disabled}
      className="-mb-px border-transparent border-b-2 py-1 text-muted hover:text-strong disabled:opacity-50 data-[state=active]:border-accent data-[state=active]:text-strong"
    >
      {children}
    </Tabs.Trigger>
  )
}

function Others({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p className="text-muted text-sm [overflow-wrap:anywhere]">
      Kept as they are in the JSON: {names.map(visibleText).join(', ')}
    </p>
  )
}

function JsonField({
  text,
  error,
  onType,
}: {
  text: string
  error: string | undefined
  onType: (text: string) => void
}) {
  return (
    <Field id={useId()} label="Arguments as JSON" {...(error && { error })}>
      {(control) => (
        <Textarea
          {...control}
          rows={6}
          spellCheck={false}
          value={text}
          className="max-h-96 font-mono text-mono pointer-coarse:text-lg"
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  )
}

type FieldsProps = {
  fields: readonly SchemaField[]
  values: FieldValues
  problems: FieldProblems
  onChange: (values: FieldValues) => void
}

function Fields({ fields, values, problems, onChange }: FieldsProps) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      problems={problems.of.get(field.name) ?? []}
      value={Object.hasOwn(values, field.name) ? values[field.name] : undefined}
      onChange={(value) =>
        onChange(Object.fromEntries([...Object.entries(values), [field.name, value]]))
      }
    />
  ))
}

type Value = FieldValues[string]
type OneProps = { field: SchemaField; value: Value | undefined; onChange: (value: Value) => void }

function OneField({
  field,
  value,
  problems,
  onChange,
}: OneProps & { problems: readonly string[] }) {
  const id = useId()
  const name = visibleText(field.name)
  const label = field.title === '' ? name : `${field.title} (${name})`
  const error = visibleText(problems.join(' '))
  if (field.kind === 'object') {
    const inner = problemsOf(field.fields, problems)
    return (
      <fieldset className="flex flex-col gap-3 border-l-2 pl-3">
        <legend className="font-medium text-strong">{label}</legend>
        {field.hint && <p className="text-muted text-sm">{field.hint}</p>}
        <Fields
          fields={field.fields}
          values={typeof value === 'object' ? value : {}}
          problems={inner}
          onChange={onChange}
        />
        {inner.rest.length > 0 && (
          <p className="text-error text-sm [overflow-wrap:anywhere]">
            {visibleText(inner.rest.join(' '))}
          </p>
        )}
      </fieldset>
    )
  }
  return (
    <Field id={id} label={label} error={error} hint={hintFor(field)} optional={!field.required}>
      {(control) => <Control field={field} control={control} value={value} onChange={onChange} />}
    </Field>
  )
}

function hintFor({ kind, hint }: SchemaField): string {
  const how = kind === 'list' ? 'One entry a line.' : kind === 'json' ? 'As JSON.' : ''
  return [hint, how].filter(Boolean).join(' ')
}

const notGiven = { value: 'none', label: 'Not given' }

function Control({ field, control, value, onChange }: OneProps & { control: FieldControl }) {
  const text = typeof value === 'string' ? value : ''
  switch (field.kind) {
    case 'checkbox':
      return <Checkbox {...control} checked={value === true} onCheckedChange={onChange} />
    case 'choice': {
      const options = field.options.map(({ label }, place) => ({ value: String(place), label }))
      const place = field.options.findIndex(({ json }) => json === text)
      return (
        <Choice
          {...control}
          options={[notGiven, ...options]}
          value={place === -1 ? notGiven.value : String(place)}
          onValueChange={(picked) => onChange(field.options[Number(picked)]?.json ?? '')}
        />
      )
    }
    case 'number':
      return (
        <Input
          {...control}
          value={text}
          autoComplete="off"
          spellCheck={false}
          inputMode="decimal"
          onChange={(event) => onChange(event.target.value)}
        />
      )
    default:
      return (
        <Textarea
          {...control}
          value={text}
          spellCheck={false}
          className={field.kind === 'text' ? 'max-h-96 min-h-8' : 'max-h-96 font-mono text-mono'}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}
