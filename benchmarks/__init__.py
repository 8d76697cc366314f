"""What is measured: the papers' experiments (papers), costs against bounds and other packages (peers), and studies beside them."""
