import type { ReactNode } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { ConfigurationDraft, DraftProps } from './configuration-draft'

type TextKey = {
  [K in keyof ConfigurationDraft]: ConfigurationDraft[K] extends string ? K : never
}[keyof ConfigurationDraft]

type Props = DraftProps & {
  /** Where it stands in the draft. */
  field: TextKey
  label: string
  hint?: ReactNode
  /** What the server calls it; left out = the same. */
  name?: string
  placeholder?: string
  optional?: boolean
  /** Digits: the keyboard of a phone, and figures of equal width. */
  figure?: boolean
}

/** One line of the form. */
export function TextField({ draft, errors, onChange, field, name = field, ...rest }: Props) {
  const { label, hint, placeholder, optional, figure } = rest
  return (
    <Field id={name} label={label} hint={hint} optional={optional} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          value={draft[field]}
          autoComplete="off"
          spellCheck={figure ? false : undefined}
          inputMode={figure ? 'decimal' : undefined}
          placeholder={placeholder}
          className={figure ? 'numeric' : undefined}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  )
}
