'use client'
import { useState } from 'react'
import { CustomField } from '@/components/forms/form-field'
import { PersonPicker } from '@/components/people/person-picker'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'

/** Shows the field for a person, found by typing: at first nobody, or the one who fills in the form where it may not be empty. */
export function PersonField({
  name,
  field: { label, hint, schema },
  me,
  first,
}: {
  name: string
  field: Reference & Pick<ResourceField, 'schema'>
  me: { id: string; email: string }
  first: { email?: string }
}) {
  const mayBeNone = schema.safeParse(null).success
  const [email, setEmail] = useState(first.email ?? (mayBeNone ? null : me.email))
  return (
    <CustomField<string | null> name={name} label={label} hint={hint}>
      {(control, { onChange }) => (
        <PersonPicker
          control={control}
          label={label}
          any={mayBeNone ? 'None' : 'You'}
          chosen={email}
          onPick={(person) => {
            const picked = person ?? (mayBeNone ? null : me)
            setEmail(picked?.email ?? null)
            onChange(picked?.id ?? null)
          }}
        />
      )}
    </CustomField>
  )
}
