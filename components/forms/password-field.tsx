'use client'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

/** A password being chosen, which may be looked at. */
export function PasswordField({ label, error }: { label: string; error: string | undefined }) {
  // A page may have a section of this name.
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <Field
      id={id}
      label={label}
      hint="At least 12 characters. Four unrelated words make a strong password."
      error={error}
    >
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete="new-password"
            spellCheck={false}
          />
          <Button aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
            <span className="sr-only"> password</span>
          </Button>
        </div>
      )}
    </Field>
  )
}
