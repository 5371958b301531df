'use client'
import type { ComponentProps } from 'react'
import { Input } from '@/components/ui/input'

/** A hidden field for a key or a header value, which password managers ignore. */
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
