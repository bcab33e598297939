/** Text as it is, scrolling within its frame; reachable by keyboard, since it scrolls. */
import classes from './text-block.module.css'

interface TextBlockProps {
  readonly label: string
  readonly text: string
  readonly maxHeight?: string
}

export function TextBlock({ label, text, maxHeight = '65vh' }: TextBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={classes.block} style={{ maxHeight }} tabIndex={0} aria-label={label}>
      <pre className={classes.text}>{text}</pre>
    </section>
  )
}
