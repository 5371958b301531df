'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu'
import { IconButton } from '../ui/icon-button'
import { remember } from './remember'
import { readTheme, type Theme, themeCookie, themes } from './theme'

const words = { system: 'System', light: 'Light', dark: 'Dark' }
const icons = { system: Monitor, light: Sun, dark: Moon }

/**
 * Shows the menu that picks a theme. Its id is fixed, because an id made by React may differ between server and
 * browser.
 */
export function ThemeMenu({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial)
  const choose = (value: string) => {
    const next = readTheme(value)
    setTheme(next)
    remember(themeCookie, next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
  }
  const Icon = icons[theme]
  return (
    <DropdownMenu>
      <DropdownMenuTrigger id="theme-menu" asChild>
        <IconButton label={`Theme: ${words[theme].toLowerCase()}`} tooltipSide="bottom">
          <Icon aria-hidden />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent aria-labelledby="theme-menu" align="end">
        <DropdownMenuRadioGroup value={theme} onValueChange={choose}>
          {themes.map((value) => (
            <ThemeItem key={value} theme={value} />
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function ThemeItem({ theme }: { theme: Theme }) {
  const Icon = icons[theme]
  return (
    <DropdownMenuRadioItem value={theme}>
      <Icon aria-hidden />
      {words[theme]}
    </DropdownMenuRadioItem>
  )
}
