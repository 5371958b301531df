'use client'
import { useState } from 'react'
import { CustomField } from '@/components/forms/form-field'
import { PersonPicker } from '@/components/people/person-picker'
import type { Reference } from '@/lib/shape/field-shape'

/** Shows the field for a person, found by typing; the one who fills in the form at first. */
export function PersonField({
  name,
  field: { label, hint },
  me,
  first,
}: {
  name: string
  field: Reference
  me: { id: string; email: string }
  first: { email?: string }
}) {
  const [email, setEmail] = useState(first.email ?? me.email)
  return (
    <CustomField<string> name={name} label={label} hint={hint}>
      {(control, { onChange }) => (
        <PersonPicker
          control={control}
          label={label}
          any="You"
          chosen={email}
          onPick={(picked = { ...me, name: '' }) => {
            setEmail(picked.email)
            onChange(picked.id)
          }}
        />
      )}
    </CustomField>
  )
}
