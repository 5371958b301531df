'use client'
import type { ComponentProps } from 'react'
import { Input } from '@/components/ui/input'

/** For a key or the value of a header: hidden, and no matter of the browser's password manager. */
export function SecretInput(props: ComponentProps<'input'>) {
  return (
    <Input
      type="password"
      autoComplete="off"
      spellCheck={false}
      data-1p-ignore
      data-lpignore="true"
      {...props}
      className="font-mono text-mono"
    />
  )
}
