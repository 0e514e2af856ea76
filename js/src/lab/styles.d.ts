/** A style sheet as text, as the build of the extension takes it. */
declare module "*.css" {
  const text: string;
  export default text;
}
