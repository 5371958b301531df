'use client'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, useFormState } from 'react-hook-form'
import type { FieldShape } from '@/lib/shape/field-shape'
import { inSentence } from '@/lib/words/format'

/** Summary of a group whose values are all defaults. */
const usualWords = 'Defaults'

/**
 * Shows fields that few people change as one line that opens. The line says what is set otherwise than by default. An error of a
 * field opens its group, which only the reader closes again. Fields stay in the page, so the browser finds their words.
 */
export function FieldGroup({
  title,
  fields,
  set,
  usual = usualWords,
  children,
}: {
  title: string
  /** The names of its fields, or the paths of their values. */
  fields: readonly string[]
  /** Values that differ, each as label and value: "Maximum rounds 12". */
  set: readonly string[]
  /** Summary shown when no value differs. */
  usual?: string
  children: ReactNode
}) {
  const { errors } = useFormState()
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(errors)
  if (errors !== shown) {
    setShown(errors)
    if (fields.some((name) => get(errors, name) !== undefined)) setOpen(true)
  }
  const words = set.map((each, index) => (index === 0 ? each : inSentence(each))).join(', ')
  return (
    <details
      className="group/fields border-t"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-10 cursor-pointer list-none items-start gap-2 py-2 [&::-webkit-details-marker]:hidden">
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <span className="font-medium text-strong">{title}</span>
          <span className="min-w-0 truncate text-muted text-sm group-open/fields:hidden">
            {words === '' ? usual : words}
          </span>
        </span>
        <ChevronDown
          className="mt-0.5 size-4 shrink-0 transition-transform group-open/fields:rotate-180"
          aria-hidden
        />
      </summary>
      <div className="flex flex-col gap-4 pt-1 pb-4">{children}</div>
    </details>
  )
}

type Typed = Readonly<Record<string, unknown>>

/** Returns which of these fields have another typed value than the usual one, each with its label: "Maximum tries 5". */
export function setFields(
  fields: Readonly<Record<string, FieldShape>>,
  typed: Typed,
  usual: Typed,
): string[] {
  return Object.entries(fields)
    .filter(([name]) => typed[name] !== usual[name])
    .map(([name, field]) => `${field.label} ${typedWords(field, typed[name])}`)
}

function typedWords(field: FieldShape, value: unknown): string {
  if (field.kind === 'select') {
    return inSentence(field.choices.find((choice) => choice.value === value)?.label ?? '')
  }
  return shortWords(String(value))
}

const mostCharacters = 40

/** Returns the beginning of a typed text; "none" for an empty one. */
export function shortWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return 'none'
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line
}
