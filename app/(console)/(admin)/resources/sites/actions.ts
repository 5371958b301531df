'use server'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { action } from '@/lib/next/action'
import { checkSite } from '@/lib/probes/check-site'

export const addSite = action(siteVerbs.create)
export const changeSite = action(siteVerbs.update)
export const removeSite = action(siteVerbs.remove)
export const checkPages = action(checkSite)
