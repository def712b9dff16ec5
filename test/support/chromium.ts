import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Where Debian, and others, put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A browser that does nothing of its own, least of all over a network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--metrics-recording-only',
]

export async function openChromium(): Promise<Browser> {
  const executablePath = PLACES.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('There is no Chromium: apt-get install chromium')
  return await chromium.launch({ executablePath, args: FLAGS })
}

/** A page, what it asked for beside itself, and what it complained of. */
export interface WatchedPage {
  readonly page: Page
  readonly requests: readonly string[]
  readonly complaints: readonly string[]
}

/** Opens a file as a person does, and records every request and complaint from the first byte on. */
export async function openFile(browser: Browser, path: string, options: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const address = `file://${path}`
  const [requests, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('data:')) requests.push(request.url())
  })
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  return { page, requests, complaints }
}
