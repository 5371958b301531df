'use server'
import { checkSite } from '@toolgate/server/probes/check-site'
import { action } from '@/lib/next/action'

export const checkPages = action(checkSite)
