'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { MenuButton } from '@/components/ui/menu-button'
import { remember } from './remember'
import { type Theme, themeCookie, themes } from './theme'

const words = { system: 'System', light: 'Light', dark: 'Dark' }
const icons = { system: Monitor, light: Sun, dark: Moon }

/**
 * Shows the menu that picks a theme. Its id is fixed, because an id made by React may differ between server and
 * browser.
 */
export function ThemeMenu({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial)
  const choose = (next: Theme) => {
    setTheme(next)
    remember(themeCookie, next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
  }
  const Icon = icons[theme]
  const entries = themes.map((value) => ({
    label: words[value],
    icon: icons[value],
    isChecked: value === theme,
    onSelect: () => choose(value),
  }))
  return (
    <MenuButton id="theme-menu" align="end" entries={entries}>
      <IconButton label={`Theme: ${words[theme].toLowerCase()}`} tooltipSide="bottom">
        <Icon aria-hidden />
      </IconButton>
    </MenuButton>
  )
}
