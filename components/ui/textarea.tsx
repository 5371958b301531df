import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlStyles, typedStyles } from './control-styles'

/** Shows a text field that grows with its text up to the `max-h-*` given by the caller. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn(
        controlStyles,
        typedStyles,
        'field-sizing-content block min-h-20 resize-y px-2.5 py-1.5',
        className,
      )}
      {...props}
    />
  )
}
