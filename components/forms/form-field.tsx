'use client'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { Field, type FieldControl } from '@/components/ui/field'
import type { ChoiceValue, FieldShape } from '@/lib/shape/field-shape'
import { type Pasted, pastedWords } from '@/lib/words/pasted-text'
import { useFormAround } from './form'
import { type FieldState, type Picked, SelectControl, TextControl } from './form-controls'

type Placed = {
  /** The path of its value in the values of the form: "amount", "conditions.0.path". */
  name: string
  /** For the element around label, control, hint and error. */
  className?: string
  disabled?: boolean
}

/** Returns the state of one field of the surrounding form. A change of the field removes its error. */
export function useFieldState<T>(name: string, required?: string): FieldState<T> {
  const { id, change } = useFormAround()
  const { field, fieldState } = useController({
    name,
    rules: required === undefined ? {} : { validate: (value) => isGiven(value) || required },
  })
  if (field.value === undefined) throw new Error(`The form has no field ${name}.`)
  const onChange = (value: T) => change({ [name]: value })
  return { id: `${id}-${name}`, value: field.value, onChange, error: fieldState.error?.message }
}

/** Shows a field of the surrounding form, as its shape describes it. `hint` replaces the hint of the shape. */
export function FormField({
  shape,
  controlClass,
  autoFocus,
  ...placed
}: Placed & {
  shape: FieldShape
  hint?: ReactNode
  controlClass?: string
  /** For text in a dialog. */
  autoFocus?: boolean
}) {
  switch (shape.kind) {
    case 'checkbox':
      return <CheckboxField shape={shape} {...placed} />
    case 'checkboxes':
      return <CheckboxesField shape={shape} {...placed} />
    case 'select':
      return (
        <CustomField<ChoiceValue> {...shape} {...placed} explain={pickWords}>
          {(control, state) => (
            <SelectControl
              {...control}
              className={controlClass}
              disabled={placed.disabled}
              shape={shape}
              state={state}
            />
          )}
        </CustomField>
      )
    default:
      return (
        <CustomField<string> {...shape} {...placed}>
          {(control, state) => (
            <TextControl
              {...control}
              name={placed.name}
              disabled={placed.disabled}
              autoFocus={autoFocus}
              className={controlClass}
              shape={shape}
              state={state}
            />
          )}
        </CustomField>
      )
  }
}

/** Returns an error without the codes that the API lists: the select shows their labels. */
function pickWords(error: string): string {
  return error.startsWith('One of: ') ? 'Pick one from the list.' : error
}

/** Shows several fields, by their names, in this order. */
export function FormFields({ fields }: { fields: Readonly<Record<string, FieldShape | false>> }) {
  return Object.entries(fields).map(
    ([name, shape]) => shape && <FormField key={name} name={name} shape={shape} />,
  )
}

/** Shows a field whose control is written by hand. */
export function CustomField<T>({
  name,
  required,
  cleans,
  explain,
  children,
  ...words
}: Omit<Placed, 'disabled'> & {
  label: string
  hint?: ReactNode
  required?: string
  optional?: boolean
  cleans?: Pasted
  /** Returns an error of the server in the words of this control. */
  explain?: (error: string) => string
  children: (control: FieldControl, state: FieldState<T>) => ReactNode
}) {
  const state = useFieldState<T>(name, required)
  const { label, optional, className } = words
  const notice = cleans && typeof state.value === 'string' && pastedWords(cleans, state.value)
  const hint = notice || words.hint
  const error = state.error && explain ? explain(state.error) : state.error
  return (
    <Field
      id={state.id}
      label={label}
      hint={hint}
      optional={optional}
      className={className}
      error={error}
    >
      {(control) => children(control, state)}
    </Field>
  )
}

/** Shows a select beside the control of another field, such as the unit of an amount. */
export function SelectBeside({
  name,
  shape,
  className,
}: {
  name: string
  shape: Picked
  className?: string
}) {
  const state = useFieldState<ChoiceValue>(name)
  return (
    <SelectControl aria-label={shape.label} className={className} shape={shape} state={state} />
  )
}

type Ticked = Placed & { shape: FieldShape; hint?: ReactNode }

/** Shows one checkbox with its label beside it. */
function CheckboxField({ name, shape, hint = shape.hint, className, disabled }: Ticked) {
  const { id, value, onChange, error } = useFieldState<boolean>(name)
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={cn('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="flex min-h-7 w-fit items-center gap-2 pointer-coarse:min-h-10">
        <Checkbox
          id={id}
          checked={value}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          onCheckedChange={onChange}
        />
        {shape.label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  )
}

/** Shows a checkbox for each of a few options. */
function CheckboxesField({
  name,
  shape,
  hint = shape.hint,
  className,
}: Placed & { shape: Extract<FieldShape, { kind: 'checkboxes' }>; hint?: ReactNode }) {
  const { id, value, onChange, error } = useFieldState<readonly string[]>(name)
  const turn = (one: string, on: boolean) =>
    shape.choices
      .map((each) => each.value)
      .filter((each) => (each === one ? on : value.includes(each)))
  return (
    <fieldset className={className} aria-describedby={error && `${id}-error`}>
      <legend className="mb-1 font-medium text-strong">{shape.label}</legend>
      {hint && <p className="mb-1 text-muted text-sm">{hint}</p>}
      <ul className={cn('flex flex-wrap gap-x-6', shape.isColumn ? 'flex-col' : 'gap-y-1')}>
        {shape.choices.map((choice) => (
          <li key={choice.value}>
            <label
              htmlFor={`${id}-${choice.value}`}
              className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10"
            >
              <Checkbox
                id={`${id}-${choice.value}`}
                checked={value.includes(choice.value)}
                aria-invalid={error ? true : undefined}
                onCheckedChange={(on) => onChange(turn(choice.value, on))}
              />
              {choice.label}{' '}
              {choice.hint && <code className="font-mono text-mono text-muted">{choice.hint}</code>}
            </label>
          </li>
        ))}
      </ul>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    error && (
      <p id={`${id}-error`} className="flex items-start gap-1 text-error text-sm">
        <CircleAlert className="mt-px size-4 shrink-0" aria-hidden />
        {error}
      </p>
    )
  )
}

function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : Boolean(value)
}
