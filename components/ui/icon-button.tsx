'use client'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button'
import { cn } from './cn'
import { Tooltip } from './tooltip'

/** Shows a button with only an icon; `label` is its name and its tooltip. */
export function IconButton({
  label,
  children,
  size = 'md',
  variant = 'ghost',
  tooltipSide,
  className,
  ...props
}: Omit<ButtonProps, 'aria-label' | 'asChild'> & {
  label: string
  children: ReactNode
  tooltipSide?: 'top' | 'right' | 'bottom' | 'left'
}) {
  const square = size === 'sm' ? 'w-7 px-0 pointer-coarse:w-9' : 'w-8 px-0 pointer-coarse:w-10'
  return (
    <Tooltip content={label} side={tooltipSide}>
      <Button
        size={size}
        variant={variant}
        aria-label={label}
        className={cn(square, '[&_svg]:size-4', className)}
        {...props}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
