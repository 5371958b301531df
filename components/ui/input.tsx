import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlStyles, typedStyles } from './control-styles'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(controlStyles, typedStyles, 'h-8 px-2.5 pointer-coarse:h-10', className)}
      {...props}
    />
  )
}
