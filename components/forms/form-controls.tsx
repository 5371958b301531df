'use client'
import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import type { FieldControl } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { ChoiceValue, FieldShape } from '@/lib/shape/field-shape'
import { Choice } from './choice'

type Typed = Extract<FieldShape, { kind: 'text' | 'number' | 'money' | 'textarea' }>
export type Picked = Extract<FieldShape, { kind: 'select' }>

/** The value of a field, the function that changes it, and its error. */
export type FieldState<T> = {
  id: string
  value: T
  onChange: (value: T) => void
  error: string | undefined
}

/** Shows the control for text that is typed: one line, several lines, a number or a date. */
export function TextControl({
  shape,
  state: { value, onChange },
  className,
  ...control
}: FieldControl & {
  name: string
  disabled?: boolean
  autoFocus?: boolean
  className?: string
  shape: Typed
  state: FieldState<string>
}) {
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const takeTyped = useEffectEvent(() => {
    const typed = ref.current?.value ?? ''
    if (typed !== value.replaceAll(/\r\n?/g, '\n')) onChange(typed)
  })
  // External system: the browser, in which something may have been typed before React was ready.
  useEffect(() => takeTyped(), [])
  const isFigure = shape.kind === 'number' || shape.kind === 'money'
  const isSecret = shape.kind === 'text' && shape.type === 'secret'
  const props = {
    ...control,
    ref,
    value,
    placeholder: shape.placeholder,
    autoCapitalize: shape.autoCapitalize,
    autoComplete: shape.autoComplete ?? 'off',
    ...(shape.inputMode && { inputMode: shape.inputMode }),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    className: cn(
      shape.mono && 'font-mono',
      isSecret && 'font-mono text-mono',
      isFigure && 'numeric',
      className,
    ),
    ...((shape.mono || isFigure || shape.autoComplete) && { spellCheck: false }),
  }
  switch (shape.kind) {
    case 'textarea':
      return <Textarea {...props} rows={shape.rows} />
    case 'text':
      return <Input {...props} {...typeProps[shape.type ?? 'text']} />
    case 'number':
      return <Input inputMode="numeric" {...props} />
    case 'money':
      return <Input inputMode="decimal" {...props} />
    default:
      return shape satisfies never
  }
}

const typeProps: Record<
  NonNullable<Extract<Typed, { kind: 'text' }>['type']> | 'text',
  ComponentProps<'input'> & Record<`data-${string}`, unknown>
> = {
  text: {},
  email: { type: 'email', spellCheck: false },
  url: { type: 'url', inputMode: 'url', spellCheck: false },
  password: { type: 'password', spellCheck: false },
  moment: { type: 'datetime-local' },
  secret: { type: 'password', spellCheck: false, 'data-1p-ignore': true, 'data-lpignore': 'true' },
}

/** Picks one of a few, or of many by a search. */
export function SelectControl({
  shape,
  state: { value, onChange },
  ...control
}: Omit<ComponentProps<typeof Choice>, 'options' | 'value' | 'onValueChange'> & {
  shape: Picked
  state: FieldState<ChoiceValue>
}) {
  const isKnown = shape.choices.some((each) => each.value === value)
  return (
    <Choice
      {...control}
      searchLabel={shape.search}
      placeholder={shape.placeholder}
      options={shape.choices.map((each) => ({ ...each, value: keyOf(each.value) }))}
      value={isKnown ? keyOf(value) : ''}
      onValueChange={(key) =>
        onChange(shape.choices.find((each) => keyOf(each.value) === key)?.value ?? null)
      }
    />
  )
}

/** Returns the text that stands for a value, because the control only knows text. No option has a name in brackets. */
function keyOf(value: ChoiceValue): string {
  return typeof value === 'string' ? value : `(${value})`
}
