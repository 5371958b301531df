'use client'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextControl } from './form-controls'
import { CustomField } from './form-field'

/** Shows the field `password` of a form for choosing a new password, with a button that shows the typed text. */
export function PasswordField({ label }: { label: string }) {
  const [shown, setShown] = useState(false)
  const hint = 'At least 12 characters, such as four unrelated words.'
  return (
    <CustomField<string> name="password" label={label} hint={hint}>
      {(control, state) => (
        <div className="flex gap-2">
          <TextControl
            {...control}
            name="password"
            shape={{
              kind: 'text',
              type: shown ? undefined : 'password',
              label,
              autoComplete: 'new-password',
            }}
            state={state}
          />
          <Button aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
            <span className="sr-only"> password</span>
          </Button>
        </div>
      )}
    </CustomField>
  )
}
